/**
 * A program that times itself: it is asked one line at a time and answers each with one line.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class LineChild {
  #process;
  #lines;
  #failure = new Promise(() => {});

  constructor(command, args) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#process.stdin.on('error', () => {});
    this.#failure = new Promise((_, reject) => {
      this.#process.on('error', reject);
    });
    this.#failure.catch(() => {});
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** The next line; throws where the program cannot be started or has ended. */
  async next() {
    const { value, done } = await Promise.race([this.#lines.next(), this.#failure]);
    if (done) throw new Error('ended without an answer');
    return value;
  }

  ask(line) {
    this.#process.stdin.write(`${line}\n`);
    return this.next();
  }

  close() {
    this.#process.stdin.end();
  }
}
