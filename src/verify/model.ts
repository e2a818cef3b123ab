/**
 * The group `model`: the embedded model from a text to 200 tokens, by its tokenizer, its forward pass and a sampler.
 */
import { SpecChain } from '../chain/spec-chain.js';
import { EmbeddedModel } from '../embedded/embedded-model.js';
import { EmbeddedTokenizer } from '../embedded/embedded-tokenizer.js';
import { Safetensors } from '../embedded/safetensors.js';
import { exactNumerics, type Numerics } from '../numerics/numerics.js';
import { stream } from '../random/pcg32.js';
import { Sampler } from '../sampler/sampler.js';
import type { Check } from './check.js';
import { digestBytes, Fnv1a, hex } from './fnv1a.js';

const PROMPT = 'In the beginning';
const TOKENS = 200;
const PARAMS = { temperature: 0.8, top_p: 0.95, repetition_penalty: 1.1 };
const SEED = 2026;

/** The id drawn, its logprob in 16 hexadecimal digits, and the digest of the logits that it was drawn from. */
export type ModelToken = readonly [id: number, logprob: string, logits: string];

export interface ModelDigests {
  /** Of the file with the weights: another model has other tokens. */
  readonly weights: string;
  /** The ids of the prompt. */
  readonly prompt: readonly number[];
  readonly tokens: readonly ModelToken[];
}

/** The files of the model. */
export interface ModelFiles {
  readonly config: unknown;
  readonly tokenizer: unknown;
  readonly weights: Uint8Array;
}

/** What the model gave, with the exact numerics. */
export interface ModelRun {
  readonly weights: string;
  readonly prompt: readonly number[];
  /** f32[V] before each token. */
  readonly logits: readonly Float32Array[];
}

/** Runs the model once, for every numerics to sample from what it gave. */
export function runModel({ config, tokenizer, weights }: ModelFiles): ModelRun {
  const model = new EmbeddedModel(config, new Safetensors(weights, 'weights.safetensors'));
  const prompt = new EmbeddedTokenizer(tokenizer).encode(PROMPT);
  const sampler = createSampler(prompt, exactNumerics);
  const session = model.open();
  const logits: Float32Array[] = [];
  let next = model.beginId === undefined ? prompt : [model.beginId, ...prompt];
  for (let n = 0; n < TOKENS; n++) {
    const row = session.append(next).slice();
    next = [sampler.sampleId(row)];
    logits.push(row);
  }
  return { weights: digestBytes(weights), prompt, logits };
}

export function* modelTokens({ prompt, logits }: ModelRun, numerics: Numerics): Iterable<ModelToken> {
  const sampler = createSampler(prompt, numerics);
  for (const row of logits) {
    const { id, logprob } = sampler.sample(row);
    yield [id, hex(logprob), digestFloats(row)];
  }
}

export function* modelChecks(digests: ModelDigests, run: ModelRun, numerics: Numerics): Iterable<Check> {
  yield { what: 'the file with the weights', expected: digests.weights, got: run.weights };
  yield { what: 'the ids of the prompt', expected: digests.prompt.join(' '), got: run.prompt.join(' ') };
  let n = 0;
  for (const [id, logprob, logits] of modelTokens(run, numerics)) {
    const [expectedId, expectedLogprob, expectedLogits] = digests.tokens[n] ?? ['an id', 'a logprob', 'a digest'];
    yield { what: `token ${n}, the logits`, expected: expectedLogits, got: logits };
    yield { what: `token ${n}, the id`, expected: String(expectedId), got: String(id) };
    yield { what: `token ${n}, the logprob`, expected: expectedLogprob, got: logprob };
    n++;
  }
}

function createSampler(prompt: readonly number[], numerics: Numerics): Sampler {
  const chain = new SpecChain(PARAMS);
  return new Sampler({ chain, seed: SEED, uniforms: stream(SEED, 'sample'), prompt, numerics });
}

function digestFloats(values: Float32Array): string {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const digest = new Fnv1a();
  for (let i = 0; i < words.length; i++) digest.word(words[i] as number);
  return digest.hex();
}
