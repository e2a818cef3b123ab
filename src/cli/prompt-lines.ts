/**
 * The lines that are typed at a prompt, or piped in, and what Ctrl-C does there.
 *
 * While work runs, Ctrl-C ends the work. At the prompt it drops what was typed, and says how to leave when there was
 * nothing. Input that is piped gets no prompt.
 */
import { createInterface, type Interface } from 'node:readline/promises';
import { INTERRUPTED } from './failure.js';
import { isTyped } from './standard-input.js';

const PROMPT = '> ';
const HOW_TO_LEAVE = '(Ctrl-D or /quit leaves)';

export class PromptLines implements AsyncIterable<string> {
  readonly isTyped = isTyped();
  readonly #lines: Interface;
  #work: AbortController | undefined;

  constructor() {
    const output = process.stdout.isTTY ? process.stdout : process.stderr; // a prompt is not part of what is kept
    this.#lines = createInterface({ input: process.stdin, output, prompt: PROMPT, terminal: this.isTyped });
    this.#lines.on('SIGINT', () => this.#interrupt()); // a typed Ctrl-C: readline holds the terminal
    process.on('SIGINT', () => (this.#work ? this.#interrupt() : process.exit(INTERRUPTED))); // one that was sent
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    this.#prompt();
    for await (const line of this.#lines) {
      yield line;
      this.#prompt();
    }
  }

  /** Runs `work` with a signal that Ctrl-C aborts. */
  async interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#work = new AbortController();
    try {
      await work(this.#work.signal);
    } finally {
      this.#work = undefined;
    }
  }

  close(): void {
    this.#lines.close();
  }

  #prompt(): void {
    if (this.isTyped) this.#lines.prompt();
  }

  #interrupt(): void {
    if (this.#work === undefined) this.#startAnew();
    else this.#work.abort();
  }

  #startAnew(): void {
    if (this.#lines.line === '') this.#sayHowToLeave();
    else this.#dropLine();
  }

  #sayHowToLeave(): void {
    process.stderr.write(`\n${HOW_TO_LEAVE}\n`);
    this.#prompt();
  }

  #dropLine(): void {
    this.#lines.write(null, { ctrl: true, name: 'e' }); // to its end
    this.#lines.write(null, { ctrl: true, name: 'u' }); // and away with what stands before; the prompt stays
  }
}
