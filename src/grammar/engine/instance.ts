/**
 * One instance of the engine: its memory, texts in and out, and its end.
 *
 * A trap, such as an overflow of the stack, leaves an instance in an unknown state: it cannot be used from then on.
 */
import type { WasmModule } from '../../kinds.js';
import type { EngineExports } from './exports.js';
import { MOST_STEPS } from './limits.js';

/** What the engine says of a grammar, or of a place in one, that it does not take. */
export class EngineRefusal extends Error {}

const PAGE = 65536;

export class Instance {
  readonly #exports: EngineExports;
  #isDead = false;

  /** @param image the memory of another instance of `module`, which this one goes on from */
  constructor(module: WasmModule, image?: Uint8Array) {
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

  /** A copy of its memory. */
  image(): Uint8Array {
    return new Uint8Array(this.memory.slice(0));
  }

  /** Calls the engine, which may take so many steps. Throws EngineRefusal when it traps. */
  call<T>(act: (exports: EngineExports) => T, steps = MOST_STEPS): T {
    this.#exports.steps_allow(steps);
    try {
      return act(this.#exports);
    } catch (cause) {
      this.#isDead = true;
      const isLong = this.#exports.steps_left() === 0;
      const reason = isLong ? `it takes more than ${steps} steps` : 'it runs out of memory or stack in it';
      throw new EngineRefusal(reason, { cause });
    }
  }

  /** As `call`, where a negative number or a pointer 0, as `fails` says, means that the reason is in the text buffer. */
  ask(act: (exports: EngineExports) => number, fails: (answer: number) => boolean, steps?: number): number {
    const answer = this.call(act, steps);
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

  /** What `act` gives, which is told where `bytes` lie meanwhile. */
  give<T>(bytes: Uint8Array, act: (at: number) => T): T {
    const at = this.call(({ allocate }) => allocate(bytes.length));
    new Uint8Array(this.memory).set(bytes, at);
    try {
      return act(at);
    } finally {
      if (!this.#isDead) this.call(({ release }) => release(at, bytes.length));
    }
  }

  #takeOver(image: Uint8Array): void {
    const { memory } = this.#exports;
    memory.grow((image.length - memory.buffer.byteLength) / PAGE);
    new Uint8Array(memory.buffer).set(image);
  }
}
