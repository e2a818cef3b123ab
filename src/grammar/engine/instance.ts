/**
 * One instance of the engine: its memory, texts in and out, and its end.
 *
 * A trap, such as an overflow of the stack, leaves an instance in a state that nobody knows: it is dead from then on.
 */
import type { EngineExports } from './exports.js';
import { writeWords } from './words.js';

/** What the engine says of a grammar, or of a place in one, that it does not take. */
export class EngineRefusal extends Error {}

const NEVER = 0;
const PAGE = 65536;

export class Instance {
  readonly #exports: EngineExports;
  #isDead = false;
  /** A place for what is handed over, and its length. */
  #desk = NEVER;
  #deskLength = 0;

  /** @param image the memory of another instance of `module`, which this one goes on from */
  constructor(module: WebAssembly.Module, image?: Uint8Array) {
    this.#exports = new WebAssembly.Instance(module).exports as unknown as EngineExports;
    if (image !== undefined) this.#takeOver(image);
  }

  /** Whether it trapped, so that nothing of it can be used. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** Bytes of its memory. It never becomes less. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  get memory(): ArrayBuffer {
    return this.#exports.memory.buffer;
  }

  /** A copy of its memory. What was handed over through `put` before is forgotten in it. */
  image(): Uint8Array {
    this.#clearDesk();
    return new Uint8Array(this.memory.slice(0));
  }

  /** Calls the engine. Throws EngineRefusal when it traps. */
  call<T>(act: (exports: EngineExports) => T): T {
    try {
      return act(this.#exports);
    } catch (cause) {
      this.#isDead = true;
      throw new EngineRefusal('it runs out of memory or stack in it', { cause });
    }
  }

  /** As `call`, where a negative number or a pointer 0, as `fails` says, means that the reason is in the text buffer. */
  ask(act: (exports: EngineExports) => number, fails: (answer: number) => boolean): number {
    const answer = this.call(act);
    if (fails(answer)) throw new EngineRefusal(this.text());
    return answer;
  }

  /** The text buffer's bytes, copied. */
  bytes(): Uint8Array {
    const { text_at, text_length } = this.#exports;
    return new Uint8Array(this.memory, text_at(), text_length()).slice();
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  /** Lays bytes down for the next call; where they are. */
  put(bytes: Uint8Array): number {
    const at = this.#place(bytes.length);
    new Uint8Array(this.memory).set(bytes, at);
    return at;
  }

  /** As `put`, for words of 32 bits and then bytes. */
  putWords(words: ArrayLike<number>, bytes: Uint8Array = new Uint8Array()): number {
    const at = this.#place(4 * words.length + bytes.length);
    writeWords(this.memory, at, words);
    new Uint8Array(this.memory).set(bytes, at + 4 * words.length);
    return at;
  }

  #place(length: number): number {
    if (length > this.#deskLength) {
      this.#clearDesk();
      const room = Math.max(1024, length);
      this.#desk = this.call(({ allocate }) => allocate(room));
      this.#deskLength = room;
    }
    return this.#desk;
  }

  #clearDesk(): void {
    const [desk, length] = [this.#desk, this.#deskLength];
    if (length > 0) this.call(({ release }) => release(desk, length));
    this.#desk = NEVER;
    this.#deskLength = 0;
  }

  #takeOver(image: Uint8Array): void {
    const { memory } = this.#exports;
    memory.grow((image.length - memory.buffer.byteLength) / PAGE);
    new Uint8Array(memory.buffer).set(image);
  }
}
