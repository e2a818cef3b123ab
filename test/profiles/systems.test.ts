/** Each profile beside a plain transcription of its system: the same ids are left, with the same logits, on random rows. */
import { describe, expect, it } from 'vitest';
import { CandidateSet, TokenHistory } from '../../src/core.js';
import { createChain, SpecChain } from '../../src/index.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { profileChain } from '../../src/profiles/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { casesOf } from '../support/cases.js';
import { pick, roughNormal } from '../support/requests.js';
import * as plain from './plain-systems.js';

type Params = Record<string, unknown>;

interface Case {
  readonly params: Params;
  readonly plain: (row: plain.Row, before: plain.Before) => plain.Row;
}

const V = 48;
const CASES = casesOf(150, 5000);
const LETTERS = [...'edskypmxt'];
const WEBUI = [
  ...[
    'repetition_penalty',
    'presence_penalty',
    'frequency_penalty',
    'dry',
    'encoder_repetition_penalty',
    'temperature',
    'dynamic_temperature',
    'quadratic_sampling',
    'top_k',
    'top_p',
    'typical_p',
  ],
  ...['epsilon_cutoff', 'eta_cutoff', 'tfs', 'top_a', 'min_p', 'xtc', 'no_repeat_ngram'],
];

/** A number in [low, high). */
const within = (random: Pcg32, low: number, high: number) => low + (high - low) * random.uniform();

const biasOf = (random: Pcg32) => ({
  [random.below(V)]: within(random, -5, 5),
  [random.below(V)]: within(random, -5, 5),
});

function shuffled<T>(random: Pcg32, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

/** Random parameters of each system, with what it would do. */
const SYSTEMS: Readonly<Record<string, (random: Pcg32) => Case>> = {
  vllm: (random) => {
    const params = {
      temperature: pick(random, [0, 1e-6, 0.005, 0.7, 1, 1.6]),
      top_k: pick(random, [-1, 0, 3, 20]),
      top_p: within(random, 0.2, 1),
      min_p: within(random, 0, 0.3),
      repetition_penalty: within(random, 0.8, 1.5),
      presence_penalty: within(random, -2, 2),
      frequency_penalty: within(random, -2, 2),
      logit_bias: biasOf(random),
    };
    return { params, plain: (row, before) => plain.vllm(row, params as never, before) };
  },
  huggingface: (random) => {
    const biased = random.below(V);
    const params = {
      do_sample: true,
      sequence_bias: [[[biased], 1.5]],
      encoder_repetition_penalty: within(random, 0.8, 1.3),
      repetition_penalty: within(random, 0.8, 1.5),
      no_repeat_ngram_size: 2,
      suppress_tokens: [random.below(V), random.below(V)],
      temperature: within(random, 0.3, 2),
      top_h: within(random, 0.3, 1),
      top_k: pick(random, [5, 50]),
      top_p: within(random, 0.2, 1),
      min_p: within(random, 0, 0.2),
      typical_p: within(random, 0.5, 1),
      epsilon_cutoff: within(random, 0.001, 0.1),
      eta_cutoff: within(random, 0.001, 0.1),
    };
    const own = { ...params, suppress: params.suppress_tokens, biased };
    return { params, plain: (row, before) => plain.huggingface(row, own as never, before) };
  },
  'llama.cpp': (random) => {
    const params = {
      repeat_penalty: within(random, 0.8, 1.5),
      repeat_last_n: pick(random, [-1, 64, 5]),
      presence_penalty: within(random, -1, 1),
      frequency_penalty: within(random, -1, 1),
      dry_multiplier: within(random, 0.1, 2),
      dry_base: within(random, 1, 2),
      dry_allowed_length: pick(random, [0, 1, 2]),
      dry_penalty_last_n: pick(random, [-1, 6]),
      top_n_sigma: within(random, 0.5, 3),
      top_k: pick(random, [4, 40]),
      typical_p: within(random, 0.3, 0.99),
      top_p: within(random, 0.2, 0.99),
      min_p: within(random, 0.01, 0.3),
      xtc_probability: 0.5,
      xtc_threshold: within(random, 0.05, 0.5),
      temperature: within(random, 0.3, 2),
      dynatemp_range: pick(random, [0, 0.2, 3]),
      dynatemp_exponent: pick(random, [1, 0.7]),
      min_keep: pick(random, [0, 1, 3]),
    };
    const letters = random.below(2) === 0 ? 'edskypmxt' : shuffled(random, LETTERS).join('');
    const order = letters === 'edskypmxt' ? {} : { sampler_seq: letters };
    return {
      params: { ...params, ...order, dry_sequence_breakers: [] },
      plain: (row, before) => plain.llamaCpp(row, letters, params, before),
    };
  },
  'llama.cpp with mirostat': (random) => {
    const params = { mirostat: 2, mirostat_tau: within(random, 0.2, 3), temperature: within(random, 0.3, 2) };
    return { params, plain: (row) => plain.llamaCppMirostat(row, params) };
  },
  'mlx-lm': (random) => {
    const params = {
      temp: pick(random, [0, 0.6, 1, 1.5]),
      top_p: within(random, 0.2, 0.99),
      min_p: within(random, 0.01, 0.3),
      min_tokens_to_keep: pick(random, [1, 4]),
      top_k: pick(random, [4, 40]),
      xtc_probability: 0.5,
      xtc_threshold: within(random, 0.05, 0.5),
      logit_bias: biasOf(random),
    };
    return { params, plain: (row, before) => plain.mlxLm(row, params as never, before) };
  },
  'text-generation-webui': (random) => {
    const params = {
      repetition_penalty: within(random, 0.8, 1.5),
      repetition_penalty_range: pick(random, [0, 5, 1024]),
      presence_penalty: within(random, -1, 1),
      frequency_penalty: within(random, -1, 1),
      encoder_repetition_penalty: within(random, 0.8, 1.3),
      dry_multiplier: within(random, 0.1, 2),
      dry_base: within(random, 1, 2),
      dry_allowed_length: pick(random, [0, 1, 2]),
      temperature: within(random, 0.5, 2),
      dynatemp_low: within(random, 0.3, 1),
      dynatemp_high: within(random, 1, 2),
      dynatemp_exponent: pick(random, [1, 0.7]),
      smoothing_factor: within(random, 0.05, 0.4),
      smoothing_curve: within(random, 1, 2),
      top_k: pick(random, [8, 40]),
      top_p: within(random, 0.4, 1),
      typical_p: within(random, 0.5, 1),
      epsilon_cutoff: within(random, 1, 300),
      eta_cutoff: within(random, 1, 300),
      tfs: within(random, 0.5, 0.99),
      top_a: within(random, 0.01, 0.5),
      min_p: within(random, 0.01, 0.2),
      xtc_probability: 0.5,
      xtc_threshold: within(random, 0.05, 0.5),
    };
    const given = { ...params, dynamic_temperature: true, dry_sequence_breakers: '[]' };
    // with ngrams behind the filters nothing may be left, which is refused here: they are tried in front
    const order = random.below(2) === 0 ? WEBUI.slice(0, -1) : shuffled(random, WEBUI.slice(0, -1));
    const front = { sampler_priority: order, no_repeat_ngram_size: 2 };
    const all = { ...params, no_repeat_ngram_size: 2 };
    return {
      params: { ...given, ...front },
      plain: (row, before) => plain.webui(row, ['no_repeat_ngram', ...order], all, before),
    };
  },
  ollama: (random) => {
    const params = {
      temperature: pick(random, [0, 0.4, 1, 1.5]),
      top_k: pick(random, [3, 40]),
      top_p: within(random, 0.2, 0.99),
      min_p: within(random, 0, 0.3),
    };
    return { params, plain: (row) => plain.ollama(row, params) };
  },
  pvml: (random) => {
    const cut = random.below(2) === 0 ? { top_k: 7, top_p: 0 } : { top_k: 0, top_p: within(random, 0.2, 0.99) };
    const params = { temperature: pick(random, [0, 0.4, 1, 1.5]), frequency_penalty: within(random, -1, 1), ...cut };
    return { params, plain: (row, before) => plain.pvml(row, params, before) };
  },
};

/** What the profile's chain leaves. */
function left(name: string, params: Params, row: plain.Row, before: plain.Before): plain.Row {
  const set = new CandidateSet();
  set.load(row.map(({ l }) => l));
  createChain(profileChain(name, params)).process(set, {
    history: new TokenHistory(before.prompt, before.output),
    numerics: exactNumerics,
    uniform: () => before.uniform,
  });
  if (set.settled !== undefined) return [{ id: set.settled, l: Number.NaN }];
  return Array.from({ length: set.size }, (_, i) => ({ id: set.idAt(i), l: set.logitAt(i) }));
}

function differencesOf(system: string): { params: Params; own: number[]; theirs: number[] }[] {
  const random = new Pcg32(0x13, 5);
  const wrong = [];
  for (let i = 0; i < CASES; i++) {
    const { params, plain: rule } = (SYSTEMS[system] as (random: Pcg32) => Case)(random);
    const row = Array.from({ length: V }, (_, id) => ({ id, l: 3 * roughNormal(random) }));
    const few = pick(random, [3, V]); // of few ids, texts repeat themselves
    const ids = (count: number) => Array.from({ length: count }, () => random.below(few));
    const before = { prompt: ids(6), output: ids(6), uniform: random.uniform() };
    const own = left(system.split(' with ')[0] as string, params, row, before);
    const theirs = [...rule(row, before)].sort((a, b) => a.id - b.id);
    const same = own.every(({ l }, j) => own.length === 1 || Math.abs(l - (theirs[j]?.l ?? Number.NaN)) < 1e-9);
    const isSame = String(own.map(({ id }) => id)) === String(theirs.map(({ id }) => id)) && same;
    if (!isSame) wrong.push({ params, own: own.map(({ id }) => id), theirs: theirs.map(({ id }) => id) });
  }
  return wrong;
}

describe('a profile', () => {
  it.each(Object.keys(SYSTEMS))('of %s leaves the ids and logits that the system leaves', (system) => {
    expect(differencesOf(system).slice(0, 2)).toEqual([]);
  });

  it('of the spec is the chain of createSampler, to the fingerprint', () => {
    const params = {
      temperature: 0.7,
      top_k: 20,
      top_p: 0.9,
      min_p: 0.02,
      repetition_penalty: 1.2,
      presence_penalty: 0.3,
    };
    const chain = createChain(profileChain('spec', params));
    expect(chain.fingerprint()).toBe(new SpecChain(params).fingerprint());
    expect(chain.tap).toBe(new SpecChain(params).tap);
  });
});
