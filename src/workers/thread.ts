/**
 * The program of a thread: it holds the samplers of its rows and answers calls.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Container } from 'inversify';
import { type CreateSamplerOptions, createSampler, restoreSampler } from '../container/create-sampler.js';
import { InvalidValueError } from '../errors.js';
import type { SamplingParamsInput } from '../params/sampling-params.js';
import type { Sampler } from '../sampler/sampler.js';
import { type SamplerState, saveSampler } from '../sampler/sampler-state.js';
import { type Answer, type Call, type SentToken, sendRefusal, type ThreadData } from './messages.js';

const { logits, vocabSize, module } = workerData as ThreadData;
const samplers = new Map<number, Sampler>();
const container = module === undefined ? undefined : await containerOf(module);

const methods: Record<Call['method'], (...args: never[]) => unknown> = {
  start(row: number, params: SamplingParamsInput, options: CreateSamplerOptions) {
    const sampler = createSampler(params, { ...options, ...(container && { container }) });
    samplers.set(row, sampler);
    return sampler.seed;
  },
  restore(row: number, state: SamplerState) {
    samplers.set(row, restoreSampler(state, container));
  },
  sample(rows: readonly number[]) {
    return rows.map(sampleRow);
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
  parentPort?.postMessage(answer(number, method, args));
});

function answer(number: number, method: Call['method'], args: readonly unknown[]): Answer {
  try {
    return { number, result: methods[method](...(args as never[])) };
  } catch (error) {
    return error instanceof InvalidValueError ? { number, refusal: sendRefusal(error) } : { number, failure: error };
  }
}

function sampleRow(row: number): SentToken {
  try {
    return held(row).sample(new Float32Array(logits, 4 * row * vocabSize, vocabSize));
  } catch (error) {
    if (error instanceof InvalidValueError) return sendRefusal(error);
    throw error;
  }
}

function held(row: number): Sampler {
  const sampler = samplers.get(row);
  if (sampler === undefined) throw new InvalidValueError('SamplerPool', 'row', 'one that a request holds', row);
  return sampler;
}

async function containerOf(url: string): Promise<Container> {
  const { container: given } = (await import(url)) as { container?: Container };
  if (typeof given?.get === 'function') return given;
  throw new InvalidValueError('SamplerPool', 'module', 'a module that exports a `container`', url);
}
