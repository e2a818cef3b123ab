/**
 * A thread as its pool sees it: calls that are answered later.
 */
import type { Worker } from 'node:worker_threads';
import type { Answer, Call } from './messages.js';
import { receiveError } from './sent-error.js';

interface Waiting {
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}

export class ThreadPort {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;
  #ended: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (answer: Answer) => this.#settle(answer));
    worker.on('error', (error: Error) => this.#end(error));
    worker.on('exit', () => this.#end(new Error('SamplerPool: the thread has ended')));
    worker.unref(); // a pool alone does not keep the process alive
  }

  /** The port once the thread runs; rejects when it cannot. */
  static async open(worker: Worker): Promise<ThreadPort> {
    const port = new ThreadPort(worker);
    await new Promise<void>((resolve, reject) => {
      worker.ref();
      worker.once('online', resolve);
      worker.once('error', reject);
    });
    await port.call('sample', []); // its module was loaded
    return port;
  }

  call(method: Call['method'], ...args: readonly unknown[]): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ number, method, args } satisfies Call); // throws for what cannot be sent
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(number, { resolve, reject });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('result' in answer) waiting?.resolve(answer.result);
    else waiting?.reject(receiveError(answer.failure));
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}
