/**
 * A batch whose rows are sampled on worker threads: the logits stay in shared memory, the samplers in the threads.
 *
 * Each row gives what its request gives alone, bit for bit, whatever the number of threads. It pays where rows are long
 * and logprobs are wanted: sending a call and its answer takes some 50 microseconds. For Node, Bun and Deno.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { InvalidValueError } from '../errors.js';
import { checkId, readArray, readIds } from '../inputs.js';
import { isUrl } from '../kinds.js';
import { countField, idsField, listField } from '../options/fields.js';
import { field, optionsOf, required } from '../options/options-of.js';
import { type SamplingParamsInput, validate } from '../params/sampling-params.js';
import type { Seed } from '../random/seed.js';
import type { CreateSamplerOptions } from '../request/create-sampler.js';
import {
  type BatchReading,
  type BatchReadingInput,
  type BatchToken,
  checkReading,
  toError,
} from '../sampler/sample-row.js';
import { checkState, type SamplerState } from '../sampler/sampler-state.js';
import { receiveToken, type SentToken, type ThreadData } from './messages.js';
import { ThreadPort } from './thread-port.js';

const OWNER = 'SamplerPool';
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;

export interface SamplerPoolOptions {
  /** V, an integer >= 1. */
  readonly vocabSize: number;
  /** B, the rows of the batch, an integer >= 1. */
  readonly rows: number;
  /** An integer >= 1; no more than rows are used. Default: what the machine runs at a time, without one for the caller. */
  readonly threads?: number;
  /**
   * The address of a module that exports a `container`, for processors of one's own, and for what processors ask for, such as
   * a tokenizer, which cannot be sent to a thread.
   */
  readonly module?: URL | string;
}

const POOL_OPTIONS = optionsOf<SamplerPoolOptions>({
  vocabSize: required('an integer >= 1', isCount),
  rows: required('an integer >= 1', isCount),
  threads: countField(1),
  module: field('a URL or a string', (value) => isUrl(value) || typeof value === 'string'),
});

/** What a request can say to a thread: data only. */
export type PoolRequestOptions = Pick<CreateSamplerOptions, 'prompt' | 'history'> & {
  readonly chain?: Extract<CreateSamplerOptions['chain'], readonly unknown[]>;
};

const REQUEST_OPTIONS = optionsOf<PoolRequestOptions>({
  prompt: idsField,
  history: idsField,
  chain: listField('an array of steps'),
});

export class SamplerPool {
  readonly vocabSize: number;
  readonly rows: number;
  readonly #logits: Float32Array;
  readonly #ports: readonly ThreadPort[];

  private constructor(
    { vocabSize, rows }: SamplerPoolOptions,
    logits: SharedArrayBuffer,
    ports: readonly ThreadPort[],
  ) {
    this.vocabSize = vocabSize;
    this.rows = rows;
    this.#logits = new Float32Array(logits);
    this.#ports = ports;
  }

  /** Starts the threads. Rejects for wrong options and for a module that cannot be loaded. */
  static async open(options: SamplerPoolOptions): Promise<SamplerPool> {
    const own = POOL_OPTIONS.check(OWNER, options);
    const { vocabSize, rows, module, threads = Math.max(1, availableParallelism() - 1) } = own;
    checkSize(vocabSize, rows);
    const logits = new SharedArrayBuffer(4 * vocabSize * rows);
    const workerData: ThreadData = { logits, vocabSize, module: module?.toString() };
    const start = () => ThreadPort.open(new Worker(new URL('./thread.js', import.meta.url), { workerData }));
    const ports = await openAll(Math.min(threads, rows), start, module);
    return new SamplerPool(own, logits, ports);
  }

  /** The logits of a row, f32[V] in shared memory: to be written before `sample`, and not while it runs. */
  logits(row: number): Float32Array {
    this.#checkRow(row);
    return this.#logits.subarray(row * this.vocabSize, (row + 1) * this.vocabSize);
  }

  /** Puts a new request in a row; its seed, given or chosen. */
  async start(row: number, params: SamplingParamsInput = {}, options: PoolRequestOptions = {}): Promise<Seed> {
    const port = this.#port(row);
    const checked = validate(params);
    const { prompt = [], history = [], chain } = REQUEST_OPTIONS.check(OWNER, options);
    const ids = { prompt: readIds(OWNER, 'prompt', prompt), history: readIds(OWNER, 'history', history) };
    const own = chain === undefined ? ids : { ...ids, chain };
    return (await send(port, 'options', options, 'start', row, checked, own)) as Seed;
  }

  /** Puts a request in a row that was saved here or elsewhere. */
  async restore(row: number, state: SamplerState): Promise<void> {
    const port = this.#port(row);
    await send(port, 'state', state, 'restore', row, checkState(state));
  }

  /**
   * A token for each of `rows`, each once, with what `reading` asks about it, as `sampleBatch` gives them; in the place of a
   * row that failed its error, also where its thread has ended. Of an error of a step arrive name, message, stack and code,
   * its class where it is one of the language's own. Rejects for wrong arguments, before anything is sampled.
   * @param rows default: all rows
   */
  async sample(
    rows: readonly number[] = [...Array(this.rows).keys()],
    reading: BatchReadingInput = {},
  ): Promise<(BatchToken | Error)[]> {
    const own = readArray(OWNER, 'rows', 'an array of rows', rows, (row) => this.#checkRow(row));
    if (new Set(own).size !== rows.length) throw new InvalidValueError(OWNER, 'rows', 'each once', rows);
    const checked = checkReading(OWNER, reading);
    const tokens = new Map<number, BatchToken | Error>();
    await Promise.all(
      this.#ports.map(async (port, i) => {
        const mine = own.filter((row) => row % this.#ports.length === i);
        const sampled = await sampleIn(port, mine, checked);
        for (const [n, row] of mine.entries()) tokens.set(row, sampled[n] as BatchToken | Error);
      }),
    );
    return own.map((row) => tokens.get(row) as BatchToken | Error);
  }

  /** Enters an id that was not sampled here into the history of a row. */
  async accept(row: number, id: number): Promise<void> {
    const port = this.#port(row);
    await port.call('accept', row, checkId(OWNER, 'id', id));
  }

  /** The state of the request in a row, as `saveSampler` gives it. */
  async save(row: number): Promise<SamplerState> {
    return (await this.#port(row).call('save', row)) as SamplerState;
  }

  /** Takes the request out of a row. */
  async end(row: number): Promise<void> {
    await this.#port(row).call('end', row);
  }

  /** Ends the threads; calls under way are rejected, and the rows that `sample` waits for have that error. */
  async close(): Promise<void> {
    await Promise.all(this.#ports.map((port) => port.close()));
  }

  #port(row: number): ThreadPort {
    this.#checkRow(row);
    return this.#ports[row % this.#ports.length] as ThreadPort;
  }

  #checkRow(row: unknown): number {
    return checkId(OWNER, 'row', row, this.rows);
  }
}

/** The rows of one thread; where it has ended, each has that error. */
async function sampleIn(
  port: ThreadPort,
  rows: readonly number[],
  reading: BatchReading,
): Promise<(BatchToken | Error)[]> {
  if (rows.length === 0) return [];
  try {
    return ((await port.call('sample', rows, reading)) as SentToken[]).map(receiveToken);
  } catch (reason) {
    return rows.map(() => toError(reason));
  }
}

/** The ports of all threads; where one does not start, the others are ended. */
async function openAll(
  count: number,
  start: () => Promise<ThreadPort>,
  module: URL | string | undefined,
): Promise<ThreadPort[]> {
  const opened = await Promise.allSettled(Array.from({ length: count }, start));
  const failed = opened.find((result) => result.status === 'rejected');
  const ports = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (failed === undefined) return ports;
  await Promise.all(ports.map((port) => port.close()));
  const { reason } = failed;
  const isRefusal = (reason as Error | null)?.name === 'InvalidValueError'; // which a thread that ends sends as an Error
  if (module === undefined || isRefusal) throw reason;
  const error = new InvalidValueError(OWNER, 'module', 'a module that a thread can load', String(module));
  throw Object.defineProperty(error, 'cause', { value: reason, configurable: true, writable: true });
}

/** A call of a thread; refuses, as `name`, what cannot be sent there, such as functions. */
async function send(
  port: ThreadPort,
  name: string,
  given: unknown,
  method: 'start' | 'restore',
  ...args: readonly unknown[]
): Promise<unknown> {
  try {
    structuredClone(args);
  } catch {
    throw new InvalidValueError(OWNER, name, 'data, such as JSON holds: it is sent to a thread', given);
  }
  return port.call(method, ...args);
}

/** What shared memory can hold at all. */
function checkSize(vocabSize: number, rows: number): void {
  const most = 2147483648;
  if (4 * vocabSize * rows <= most) return;
  throw new InvalidValueError(OWNER, 'vocabSize', `at most ${Math.floor(most / 4 / rows)} for ${rows} rows`, vocabSize);
}
