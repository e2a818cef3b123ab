/**
 * The program of a thread: it holds the samplers of its rows and answers calls.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { InvalidValueError } from '../errors.js';
import type { SamplingParamsInput } from '../params/sampling-params.js';
import { type CreateSamplerOptions, createSampler, restoreSampler } from '../request/create-sampler.js';
import { containerOf } from '../request/module-container.js';
import { type BatchReading, sampleRow } from '../sampler/sample-row.js';
import type { Sampler } from '../sampler/sampler.js';
import { type SamplerState, saveSampler } from '../sampler/sampler-state.js';
import type { Answer, Call, SentToken, ThreadData } from './messages.js';
import { sendError } from './sent-error.js';

const { logits, vocabSize, module } = workerData as ThreadData;
const samplers = new Map<number, Sampler>();
const container = module === undefined ? undefined : containerOf('SamplerPool', await import(module), module);

const methods: Record<Call['method'], (...args: never[]) => unknown> = {
  start(row: number, params: SamplingParamsInput, options: CreateSamplerOptions) {
    const sampler = createSampler(params, { ...options, ...(container && { container }) });
    samplers.set(row, sampler);
    return sampler.seed;
  },
  restore(row: number, state: SamplerState) {
    samplers.set(row, restoreSampler(state, container && { container }));
  },
  sample(rows: readonly number[], reading: BatchReading) {
    return rows.map((row) => sample(row, reading));
  },
  accept(row: number, id: number) {
    held(row).accept(id);
  },
  save(row: number) {
    return saveSampler(held(row));
  },
  end(row: number) {
    held(row);
    samplers.delete(row);
  },
};

parentPort?.on('message', ({ number, method, args }: Call) => {
  const sent = answer(number, method, args);
  try {
    parentPort?.postMessage(sent);
  } catch (error) {
    parentPort?.postMessage({ number, failure: sendError(error) } satisfies Answer); // the result cannot be sent
  }
});

function answer(number: number, method: Call['method'], args: readonly unknown[]): Answer {
  try {
    return { number, result: methods[method](...(args as never[])) };
  } catch (error) {
    return { number, failure: sendError(error) };
  }
}

function sample(row: number, reading: BatchReading): SentToken {
  try {
    const token = sampleRow(held(row), new Float32Array(logits, 4 * row * vocabSize, vocabSize), reading, row);
    return token instanceof Error ? sendError(token) : token;
  } catch (error) {
    return sendError(error);
  }
}

function held(row: number): Sampler {
  const sampler = samplers.get(row);
  if (sampler === undefined) throw new InvalidValueError('SamplerPool', 'row', 'one that a request holds', row);
  return sampler;
}
