import type { ChainStepData } from '../../chain/chain-data.js';
import { InvalidValueError } from '../../errors.js';
import {
  biasById,
  bits,
  breakers,
  finite,
  integer,
  integerFrom,
  nonNegative,
  numberIn,
  or,
  positive,
  share,
} from '../parts/domains.js';
import { DEFAULT_ORDER, orderOf, type Sampler, samplerLetters, samplerNames } from '../parts/llama-order.js';
import { GRAMMAR, LENGTH, OF_REQUEST } from '../parts/reasons.js';
import { dry, recentCounts, recentRepetition, type Window } from '../parts/recent.js';
import { refuseUnused } from '../parts/refuse-unused.js';
import { atLeast, bias, when } from '../parts/steps.js';
import { type ProfileParam, profileOf, type Values } from '../profile.js';

const OWNER = 'profile llama.cpp';

const params = {
  samplers: {
    schema: samplerNames(),
    help: `the samplers in their order, as names; default ${DEFAULT_ORDER.join(';')}`,
  },
  sampler_seq: { schema: samplerLetters(), help: 'the same as letters, such as edskypmxt', also: ['sampling_seq'] },
  logit_bias: { schema: biasById(), help: 'added to the logits of ids' },
  repeat_penalty: { schema: or(positive(), 1), help: 'divides or multiplies the logits of ids seen before' },
  repeat_last_n: {
    schema: or(numberIn('an integer >= -1', isWindow), 64),
    help: 'over so many ids; 0 is off, -1 is all',
  },
  presence_penalty: { schema: or(finite(), 0), help: 'taken from the logits of ids seen before' },
  frequency_penalty: { schema: or(finite(), 0), help: 'taken once for each time that an id was seen' },
  dry_multiplier: { schema: or(nonNegative(), 0), help: 'how strong DRY is; 0 is off' },
  dry_base: { schema: or(nonNegative(), 1.75), help: 'how the penalty of DRY grows; below 1 is off' },
  dry_allowed_length: { schema: or(integerFrom(0), 2), help: 'repeats shorter than this are free' },
  dry_penalty_last_n: {
    schema: or(numberIn('an integer >= -1', isWindow), -1),
    help: 'over so many ids; 0 is off, -1 is all',
  },
  dry_sequence_breakers: {
    schema: breakers(),
    help: 'where repeats end; default a newline, a colon, a quotation mark, an asterisk',
  },
  top_n_sigma: {
    schema: or(finite(), -1),
    help: 'keeps those within n deviations of the best; 0 and below is off',
    also: ['top_nsigma'],
  },
  top_k: { schema: or(integer(), 40), help: 'keeps the k most likely; 0 and below is off' },
  typical_p: {
    schema: or(positive(), 1),
    help: 'keeps those of typical surprise; 1 is off',
    also: ['typical', 'typ_p'],
  },
  top_p: { schema: or(finite(), 0.95), help: 'keeps the most likely that together reach p; 1 is off' },
  min_p: { schema: or(share(), 0.05), help: 'keeps those at least m times as likely as the best; 0 is off' },
  xtc_probability: { schema: or(share(), 0), help: 'how often the most likely are left out; 0 is off' },
  xtc_threshold: { schema: or(positive(), 0.1), help: 'how likely an id is that XTC may leave out; above 0.5 is off' },
  temperature: { schema: or(finite(), 0.8), help: 'divides the logits; 0 and below is greedy', also: ['temp'] },
  dynatemp_range: { schema: or(nonNegative(), 0), help: 'the temperature goes so far down and up; 0 is off' },
  dynatemp_exponent: {
    schema: or(nonNegative(), 1),
    help: 'of the entropy, for the dynamic temperature',
    also: ['dynatemp_exp'],
  },
  mirostat: {
    schema: or(
      numberIn('0, 1 or 2', (x) => [0, 1, 2].includes(x)),
      0,
    ),
    help: 'the version; then only the temperature stands before it',
  },
  mirostat_tau: { schema: or(bits(), 5), help: 'the surprise aimed at, in bits', also: ['mirostat_ent'] },
  mirostat_eta: { schema: or(share(), 0.1), help: 'how fast mirostat learns', also: ['mirostat_lr'] },
  adaptive_target: {
    schema: or(
      numberIn('a number <= 1', (x) => x <= 1),
      -1,
    ),
    help: 'the probability aimed at; below 0 is off',
  },
  adaptive_decay: {
    schema: or(
      numberIn('a number in [0, 0.99]', (x) => x >= 0 && x <= 0.99),
      0.9,
    ),
    help: 'how long adaptive-p remembers',
  },
  min_keep: { schema: or(integerFrom(0), 0), help: 'how many each filter but top-k and top-n-sigma keeps at least' },
} satisfies Readonly<Record<string, ProfileParam>>;

type LlamaValues = Values<typeof params>;

/** The parameters of each sampler. */
const PARAMS_OF: Readonly<Record<Sampler, readonly string[]>> = {
  penalties: ['repeat_penalty', 'repeat_last_n', 'presence_penalty', 'frequency_penalty'],
  dry: ['dry_multiplier', 'dry_base', 'dry_allowed_length', 'dry_penalty_last_n', 'dry_sequence_breakers'],
  top_n_sigma: ['top_n_sigma'],
  top_k: ['top_k'],
  typ_p: ['typical_p'],
  top_p: ['top_p'],
  min_p: ['min_p'],
  xtc: ['xtc_probability', 'xtc_threshold'],
  temperature: ['temperature', 'dynatemp_range', 'dynatemp_exponent'],
  adaptive_p: ['adaptive_target', 'adaptive_decay'],
};
const ALWAYS = ['samplers', 'sampler_seq', 'logit_bias', 'min_keep'];
const OF_MIROSTAT = ['logit_bias', 'temperature', 'mirostat', 'mirostat_tau', 'mirostat_eta'];

/** What each sampler adds to the chain. */
const STEPS: Readonly<Record<Sampler, (p: LlamaValues) => readonly ChainStepData[]>> = {
  penalties,
  dry: (p) => (p.dry_base < 1 ? [] : dry(p, windowOf(p.dry_penalty_last_n))),
  top_n_sigma: ({ top_n_sigma: n }) => when(n > 0, { use: 'top-n-sigma', n }),
  top_k: ({ top_k: k }) => when(k > 0, { use: 'top-k', k }),
  typ_p: ({ typical_p: p, min_keep }) => when(p < 1, { use: 'typical', p, ...atLeast(min_keep) }),
  top_p: topP,
  min_p: ({ min_p: m, min_keep }) => when(m > 0, { use: 'min-p', m, ...atLeast(min_keep) }),
  xtc: ({ xtc_probability: probability, xtc_threshold: threshold, min_keep }) =>
    when(probability > 0 && threshold <= 0.5, { use: 'xtc', probability, threshold, ...atLeast(min_keep) }),
  temperature,
  adaptive_p: () => [], // it chooses, so that it stands last wherever it is named
};

/**
 * llama.cpp: samplers in the order of a string, the temperature last by default.
 * Source: llama.cpp, common/sampling.cpp and src/llama-sampler.cpp.
 */
export const llamaCpp = profileOf({
  name: 'llama.cpp',
  system: 'llama.cpp: the fields of the server, and the names of its command line',
  differs: [
    'the samplers stand in any order; by default the temperature is the last and the filters see the distribution without it',
    'top_k 40, top_p 0.95, min_p 0.05 and temperature 0.8 where nothing is said',
    'XTC draws from its own generator there, and only where it can act; here a uniform of the request for every token',
    'the penalties count the prompt, over the last 64 ids',
    'a sequence breaker of DRY is found by its text there, here by the last id of the text; a repeat counts up to 50 ids here',
    'mirostat takes the place of all samplers but the temperature',
    'the dynamic temperature there counts masked ids in its largest entropy',
    'typical needs a sum above p there; here a sum of exactly p is enough',
    'a parameter of a sampler that is not in the order is refused, not ignored',
  ],
  params,
  refused: {
    ...OF_REQUEST,
    n_predict: LENGTH,
    n_probs: 'it belongs to the request: `logprobs`',
    ignore_eos: 'it belongs to the request, whose model says its end ids',
    grammar: GRAMMAR,
    json_schema: GRAMMAR,
    reasoning_budget: 'it needs the ids that begin and end the reasoning: the step `thinking-budget` has them',
    tfs_z: 'the system does not have it any more',
    penalize_nl: 'the system does not have it any more',
    backend_sampling: 'there the rules of the graphics processor are others',
  },
  steps: (p) => {
    if (p.samplers !== undefined && p.sampler_seq !== undefined) {
      throw new InvalidValueError(OWNER, 'sampler_seq', 'absent beside samplers', p.sampler_seq);
    }
    return [...bias(p.logit_bias), ...(p.mirostat > 0 ? mirostat(p) : inOrder(p))];
  },
});

function inOrder(p: LlamaValues): readonly ChainStepData[] {
  const order = orderOf(p.samplers ?? p.sampler_seq);
  const used = [...ALWAYS, ...order.flatMap((name) => PARAMS_OF[name])];
  refuseUnused(OWNER, params, p, used, 'no sampler of the order has it');
  const chooses = order.includes('adaptive_p') && p.adaptive_target >= 0;
  return [
    ...order.flatMap((name) => STEPS[name](p)),
    ...when(chooses, { use: 'adaptive-p', target: p.adaptive_target, decay: p.adaptive_decay }),
  ];
}

function mirostat(p: LlamaValues): readonly ChainStepData[] {
  refuseUnused(OWNER, params, p, OF_MIROSTAT, 'mirostat takes the place of the sampler that has it');
  return [
    { use: 'temperature', temperature: Math.max(p.temperature, 0) },
    { use: p.mirostat === 1 ? 'mirostat' : 'mirostat-v2', tau: p.mirostat_tau, eta: p.mirostat_eta },
  ];
}

function penalties(p: LlamaValues): readonly ChainStepData[] {
  const window = windowOf(p.repeat_last_n);
  return [
    ...recentRepetition(p.repeat_penalty, window),
    ...recentCounts(p.presence_penalty, p.frequency_penalty, window),
  ];
}

/** -1 is all ids. */
function windowOf(last: number): Window {
  return last === -1 ? undefined : last;
}

function topP({ top_p: p, min_keep }: LlamaValues): readonly ChainStepData[] {
  if (p >= 1) return [];
  return [p > 0 ? { use: 'top-p', p, ...atLeast(min_keep) } : { use: 'top-k', k: Math.max(min_keep, 1) }];
}

function temperature({
  temperature: t,
  dynatemp_range: range,
  dynatemp_exponent,
}: LlamaValues): readonly ChainStepData[] {
  if (range === 0) return [{ use: 'temperature', temperature: Math.max(t, 0) }];
  const low = Math.max(t - range, 0);
  return [{ use: 'dynamic-temperature', low, high: Math.max(t + range, low), exponent: dynatemp_exponent }];
}

function isWindow(x: number): boolean {
  return Number.isInteger(x) && x >= -1;
}
