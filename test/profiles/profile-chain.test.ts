import { describe, expect, it } from 'vitest';
import type { Tokenizer } from '../../processors/index.js';
import { createChain, createSampler, InvalidValueError } from '../../src/index.js';
import { PROFILE_NAMES, PROFILES, profileChain } from '../../src/profiles/index.js';

/** A token for each byte. */
const BYTES = {
  encode: (text: string) => [...new TextEncoder().encode(text)],
  tokenBytes: (id: number) => Uint8Array.of(id),
} as unknown as Tokenizer;

const uses = (name: string, params: object = {}) => profileChain(name, { ...params }).map(({ use }) => use);

function refusalOf(name: string, params: object): InvalidValueError {
  try {
    profileChain(name, { ...params });
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
    throw error;
  }
  throw new Error(`profile ${name} takes ${JSON.stringify(params)}`);
}

/** What the chain is where nothing is said, by the system's defaults. */
const DEFAULTS: Readonly<Record<string, readonly object[]>> = {
  huggingface: [{ use: 'temperature', temperature: 0 }],
  'llama.cpp': [
    { use: 'top-k', k: 40 },
    { use: 'top-p', p: 0.95 },
    { use: 'min-p', m: 0.05 },
    { use: 'temperature', temperature: 0.8 },
  ],
  vllm: [{ use: 'temperature', temperature: 1 }],
  'mlx-lm': [{ use: 'temperature', temperature: 0 }],
  'text-generation-webui': [],
  ollama: [
    { use: 'top-k', k: 40 },
    { use: 'temperature', temperature: 0.8 },
    { use: 'top-p', p: 0.9 },
  ],
  pvml: [{ use: 'temperature', temperature: 1 }],
};

/** Orders that differ between the systems, from the same wishes. */
const ORDERS: readonly [name: string, params: object, steps: string][] = [
  ['spec', { temperature: 0.7 }, 'repetition-penalty presence-frequency logprobs temperature top-k top-p min-p'],
  ['vllm', { temperature: 0.7, top_k: 9, top_p: 0.9, min_p: 0.1 }, 'temperature min-p top-k top-p'],
  ['huggingface', { do_sample: true, temperature: 0.7, top_p: 0.9, min_p: 0.1 }, 'temperature top-k top-p min-p'],
  ['mlx-lm', { temp: 0.7, top_k: 9, top_p: 0.9, min_p: 0.1 }, 'top-p min-p top-k temperature'],
  ['ollama', { min_p: 0.1 }, 'top-k temperature top-p min-p'],
  ['pvml', { temperature: 0.7, top_p: 0.9 }, 'temperature top-p'],
  ['llama.cpp', { sampler_seq: 'tk' }, 'temperature top-k'],
  ['llama.cpp', { samplers: 'temperature;top_k' }, 'temperature top-k'],
  ['llama.cpp', { samplers: ['min_p', 'temperature', 'min_p'] }, 'min-p temperature min-p'],
  ['llama.cpp', { samplers: '' }, ''],
  ['llama.cpp', { samplers: 'adaptive_p;temperature', adaptive_target: 0.5 }, 'temperature adaptive-p'],
  ['llama.cpp', { sampler_seq: 'a' }, ''],
  ['llama.cpp', { mirostat: 1 }, 'temperature mirostat'],
  ['llama.cpp', { mirostat: 2 }, 'temperature mirostat-v2'],
  ['llama.cpp', { top_p: 0, min_keep: 3, sampler_seq: 'p' }, 'top-k'],
  ['text-generation-webui', { temperature: 0.7, min_p: 0.1, top_k: 5 }, 'temperature top-k min-p'],
  ['text-generation-webui', { temperature: 0.7, min_p: 0.1, temperature_last: true }, 'min-p temperature'],
  ['text-generation-webui', { temperature: 0.7, min_p: 0.1, sampler_priority: 'temperature' }, 'min-p temperature'],
  [
    'llama.cpp',
    { repeat_penalty: 1.1, presence_penalty: 1, dry_multiplier: 1, sampler_seq: 'de' },
    'dry recent-repetition recent-presence-frequency',
  ],
  ['llama.cpp', { repeat_penalty: 1.1, repeat_last_n: 0, dry_multiplier: 1, dry_base: 0.5, sampler_seq: 'de' }, ''],
  [
    'text-generation-webui',
    { presence_penalty: 1, frequency_penalty: 1 },
    'recent-presence-frequency recent-presence-frequency',
  ],
  [
    'huggingface',
    {
      sequence_bias: [[[7, 4], -2]],
      exponential_decay_length_penalty: [5, 1.1],
      eos_token_id: 2,
      min_length: 3,
      min_new_tokens: 1,
    },
    'sequence-bias min-length min-tokens exponential-decay-length temperature',
  ],
  ['pvml', { frequency_penalty: 1 }, 'recent-presence-frequency temperature'],
  ['text-generation-webui', { top_k: 5, no_repeat_ngram_size: 3 }, 'top-k no-repeat-ngram'],
];

/** Values that do not go together, or that the system has and we do not take. */
const WRONG: readonly [name: string, params: object, parameter: string, why: string][] = [
  ['huggingface', { temperature: 0.7 }, 'temperature', 'it needs do_sample'],
  ['huggingface', { do_sample: true, temperature: 0 }, 'temperature', 'a finite number > 0'],
  ['huggingface', { min_new_tokens: 2 }, 'eos_token_id', 'as min_new_tokens is given'],
  ['huggingface', { min_length: 2 }, 'eos_token_id', 'as min_length is given'],
  ['huggingface', { sequence_bias: [[[], 1]] }, 'sequence_bias', 'an array of pairs'],
  ['huggingface', { exponential_decay_length_penalty: [1, 0] }, 'exponential_decay_length_penalty', 'a pair'],
  [
    'text-generation-webui',
    { dry_sequence_breakers: '"a", 1' },
    'dry_sequence_breakers[1]',
    'an array of non-empty texts',
  ],
  ['huggingface', { forced_eos_token_id: 2 }, 'max_new_tokens', 'as forced_eos_token_id is given'],
  ['huggingface', { max_new_tokens: 2 }, 'max_new_tokens', 'it belongs to the request'],
  ['llama.cpp', { sampler_seq: 'tk', samplers: ['top_k'] }, 'sampler_seq', 'absent beside samplers'],
  ['llama.cpp', { sampler_seq: 'tz' }, 'sampler_seq', 'letters of'],
  ['llama.cpp', { sampler_seq: 'i' }, 'sampler_seq', 'is the step `infill`'],
  ['llama.cpp', { samplers: 'top_k;tfs_z' }, 'samplers[1]', 'names of'],
  ['llama.cpp', { samplers: 't;'.repeat(1e6) }, 'samplers', 'names of'],
  ['llama.cpp', { samplers: 'temperature', top_k: 9 }, 'top_k', 'no sampler of the order has it'],
  ['llama.cpp', { mirostat: 2, top_p: 0.5 }, 'top_p', 'mirostat takes the place'],
  ['llama.cpp', { mirostat: 2, mirostat_tau: 2000 }, 'mirostat_tau', 'a number in [0, 1024]'],
  ['llama.cpp', { mirostat_tau: 4 }, 'mirostat_tau', 'no sampler of the order has it'],
  ['llama.cpp', { temp: 1, temperature: 1 }, 'temperature', 'absent beside its other name'],
  ['llama.cpp', { epsilon_cutoff: 1 }, 'epsilon_cutoff', 'the parameters are'],
  ['llama.cpp', { tempreature: 1 }, 'tempreature', 'did you mean `temperature`?'],
  ['mlx-lm', { temp: 1, xtc_probability: 0.5 }, 'xtc_threshold', 'as xtc_probability is on'],
  ['vllm', { temperature: 2.5 }, 'temperature', '[0, 2]'],
  ['pvml', { top_k: 4, top_p: 0.5 }, 'top_p', 'one or the other'],
  ['text-generation-webui', { sampler_priority: 'min_p\nmin_p' }, 'sampler_priority', 'different names'],
  [
    'text-generation-webui',
    { mirostat_mode: 2, xtc_probability: 0.5 },
    'sampler_priority',
    'mirostat-v2, which chooses',
  ],
  ['text-generation-webui', { dynamic_temperature: true, dynatemp_low: 2 }, 'dynatemp_low', 'at most dynatemp_high, 1'],
  ['ollama', { temperature: '0.5' }, 'temperature', 'a finite number'],
  ['spec', { top_p: 0 }, 'top_p', '(0, 1]'],
  ['openai', {}, 'profile', 'one of spec, huggingface, llama.cpp'],
];

describe('profileChain', () => {
  it('has the profiles of the eight systems', () => {
    expect(PROFILE_NAMES).toEqual(['spec', ...Object.keys(DEFAULTS)]);
  });

  it.each(Object.entries(DEFAULTS))('gives %s its own defaults', (name, chain) => {
    expect(profileChain(name)).toEqual(chain);
  });

  it.each(ORDERS)('puts the steps of %s, %o in its order', (name, params, steps) => {
    expect(uses(name, params).join(' ')).toBe(steps);
    expect(() => createChain(profileChain(name, { ...params }), { tokenizer: BYTES })).not.toThrow();
  });

  it.each(WRONG)('refuses %s %o, naming %s', (name, params, parameter, why) => {
    const refusal = refusalOf(name, params);
    expect(refusal.parameter).toBe(parameter);
    expect(refusal.message).toContain(why);
  });

  it('gives frozen data, which makes a sampler and survives JSON', () => {
    const chain = profileChain('llama.cpp', { temp: 0.5, typical: 0.9 });
    expect(Object.isFrozen(chain) && chain.every(Object.isFrozen)).toBe(true);
    expect(JSON.parse(JSON.stringify(chain))).toEqual(chain);
    expect(createSampler({ seed: 1 }, { chain }).sample([1, 2, 3]).id).toBeGreaterThanOrEqual(0);
  });

  it('takes what is undefined as left out', () => {
    expect(profileChain('vllm', { temperature: undefined, seed: undefined })).toEqual(profileChain('vllm'));
  });

  it('reads no parameter off a prototype', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const params = JSON.parse(`{${JSON.stringify(name)}: 1}`);
      expect(refusalOf('vllm', params).parameter).toBe(name);
    }
    expect(() => profileChain('vllm', Object.create({ temperature: 0 }))).toThrow(InvalidValueError);
  });
});

describe('what a profile refuses', () => {
  const rows = PROFILES.flatMap(({ name, refused }) =>
    Object.entries(refused).map(([param, why]) => [name, param, why]),
  );

  it.each(rows)('%s: %s, by its name and with the reason', (name, param, why) => {
    const refusal = refusalOf(name as string, { [param as string]: 1 });
    expect(refusal).toMatchObject({ owner: `profile ${name}`, parameter: param, value: 1 });
    expect(refusal.message).toContain(why);
  });

  it.each(PROFILES.map((profile) => [profile.name, profile] as const))('%s is none of what it takes', (_, profile) => {
    const names = Object.entries(profile.params).flatMap(([name, { also = [] }]) => [name, ...also]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => Object.hasOwn(profile.refused, name))).toEqual([]);
    expect(profile.differs.length).toBeGreaterThan(0);
    expect(profile.differs.filter((line) => line.includes('\n'))).toEqual([]);
  });
});
