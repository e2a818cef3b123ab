import type { ChainStepData } from '../../chain/chain-data.js';
import { InvalidValueError } from '../../errors.js';
import {
  bits,
  breakers,
  finite,
  flag,
  integerFrom,
  nonNegative,
  numberIn,
  or,
  positive,
  share,
} from '../parts/domains.js';
import { GRAMMAR, LENGTH, OF_REQUEST, SECOND } from '../parts/reasons.js';
import { dry, recentCounts, recentRepetition, type Window } from '../parts/recent.js';
import { when } from '../parts/steps.js';
import { DEFAULT_PRIORITY, type Nickname, priorityList } from '../parts/webui-priority.js';
import { type ProfileParam, profileOf, type Values } from '../profile.js';

const OWNER = 'profile text-generation-webui';
/** The unit of the two cutoffs. */
const UNIT = 1e-4;

const positiveShare = () => numberIn('a number in (0, 1]', (x) => x > 0 && x <= 1);
const units = () => numberIn('a number in [0, 10000)', (x) => x >= 0 && x < 10_000);

const params = {
  sampler_priority: { schema: priorityList(), help: 'the samplers in their order, an array or one a line' },
  temperature_last: { schema: or(flag(), false), help: 'the temperatures and the smoothing stand last' },
  temperature: { schema: or(positive(), 1), help: 'divides the logits' },
  dynamic_temperature: { schema: or(flag(), false), help: 'a temperature that follows the entropy' },
  dynatemp_low: { schema: or(positive(), 1), help: 'the lowest dynamic temperature' },
  dynatemp_high: { schema: or(positive(), 1), help: 'the highest dynamic temperature' },
  dynatemp_exponent: { schema: or(nonNegative(), 1), help: 'of the entropy, for the dynamic temperature' },
  smoothing_factor: { schema: or(nonNegative(), 0), help: 'brings the likely ids together; 0 is off' },
  smoothing_curve: {
    schema: or(
      numberIn('a finite number >= 1', (x) => x >= 1),
      1,
    ),
    help: 'of the smoothing',
  },
  top_k: { schema: or(integerFrom(0), 0), help: 'keeps the k most likely; 0 is off' },
  top_p: { schema: or(share(), 1), help: 'keeps the most likely that together reach p' },
  typical_p: { schema: or(positiveShare(), 1), help: 'keeps those of typical surprise' },
  epsilon_cutoff: { schema: or(units(), 0), help: 'keeps those at least so likely, in units of 0.0001' },
  eta_cutoff: {
    schema: or(units(), 0),
    help: 'keeps those at least as likely as a bound that follows the entropy, in units of 0.0001',
  },
  tfs: { schema: or(share(), 1), help: 'cuts where the sorted probabilities are flat; 1 is off' },
  top_a: { schema: or(share(), 0), help: 'keeps those at least a times the square of the best; 0 is off' },
  min_p: { schema: or(share(), 0), help: 'keeps those at least m times as likely as the best' },
  adaptive_target: { schema: or(share(), 0), help: 'the probability aimed at; 0 is off' },
  adaptive_decay: {
    schema: or(
      numberIn('a number in [0, 0.99]', (x) => x >= 0 && x <= 0.99),
      0.9,
    ),
    help: 'how long adaptive-p remembers',
  },
  mirostat_mode: {
    schema: or(
      numberIn('0 or 2', (x) => x === 0 || x === 2),
      0,
    ),
    help: '2 is mirostat 2; 0 is off',
  },
  mirostat_tau: { schema: or(bits(), 5), help: 'the surprise aimed at, in bits' },
  mirostat_eta: { schema: or(share(), 0.1), help: 'how fast mirostat learns' },
  xtc_probability: { schema: or(share(), 0), help: 'how often the most likely are left out; 0 is off' },
  xtc_threshold: {
    schema: or(
      numberIn('a number in (0, 0.5]', (x) => x > 0 && x <= 0.5),
      0.1,
    ),
    help: 'how likely an id is that XTC may leave out',
  },
  no_repeat_ngram_size: { schema: or(integerFrom(0), 0), help: 'no so many ids in a row come twice; 0 is off' },
  repetition_penalty: { schema: or(positive(), 1), help: 'divides or multiplies the logits of ids seen before' },
  presence_penalty: { schema: or(finite(), 0), help: 'taken from the logits of ids seen before' },
  frequency_penalty: { schema: or(finite(), 0), help: 'taken once for each time that an id was seen' },
  encoder_repetition_penalty: { schema: or(positive(), 1), help: 'makes the ids of the prompt likelier' },
  dry_multiplier: { schema: or(nonNegative(), 0), help: 'how strong DRY is; 0 is off' },
  dry_base: {
    schema: or(
      numberIn('a finite number >= 1', (x) => x >= 1),
      1.75,
    ),
    help: 'how the penalty of DRY grows',
  },
  dry_allowed_length: { schema: or(integerFrom(0), 2), help: 'repeats shorter than this are free' },
  dry_sequence_breakers: {
    schema: breakers(),
    help: 'where repeats end; default a newline, a colon, a quotation mark, an asterisk',
  },
  repetition_penalty_range: { schema: or(integerFrom(0), 1024), help: 'over so many ids; 0 is all' },
} satisfies Readonly<Record<string, ProfileParam>>;

type WebuiValues = Values<typeof params>;

/** What each sampler adds to the chain. */
const STEPS: Readonly<Record<Nickname, (p: WebuiValues) => readonly ChainStepData[]>> = {
  repetition_penalty: (p) => recentRepetition(p.repetition_penalty, windowOf(p)),
  presence_penalty: (p) => recentCounts(p.presence_penalty, 0, windowOf(p)),
  frequency_penalty: (p) => recentCounts(0, p.frequency_penalty, windowOf(p)),
  dry: (p) => dry(p, windowOf(p)),
  temperature: ({ temperature }) => when(temperature !== 1, { use: 'temperature', temperature }),
  dynamic_temperature: dynamic,
  quadratic_sampling: (p) =>
    when(p.smoothing_factor > 0, { use: 'quadratic-smoothing', factor: p.smoothing_factor, curve: p.smoothing_curve }),
  top_k: ({ top_k: k }) => when(k > 0, { use: 'top-k', k }),
  top_p: ({ top_p: p }) => when(p < 1, p > 0 ? { use: 'top-p', p } : { use: 'top-k', k: 1 }),
  typical_p: ({ typical_p: p }) => when(p < 1, { use: 'typical', p }),
  epsilon_cutoff: (p) => when(p.epsilon_cutoff > 0, { use: 'epsilon', epsilon: p.epsilon_cutoff * UNIT }),
  eta_cutoff: (p) => when(p.eta_cutoff > 0, { use: 'eta', epsilon: p.eta_cutoff * UNIT }),
  tfs: ({ tfs }) => when(tfs < 1, { use: 'tail-free', z: tfs }),
  top_a: ({ top_a: a }) => when(a > 0, { use: 'top-a', a }),
  min_p: ({ min_p: m }) => when(m > 0, { use: 'min-p', m }),
  adaptive_p: (p) =>
    when(p.adaptive_target > 0, { use: 'adaptive-p', target: p.adaptive_target, decay: p.adaptive_decay }),
  mirostat: (p) => when(p.mirostat_mode === 2, { use: 'mirostat-v2', tau: p.mirostat_tau, eta: p.mirostat_eta }),
  xtc: ({ xtc_probability: probability, xtc_threshold: threshold }) =>
    when(probability > 0, { use: 'xtc', probability, threshold }),
  encoder_repetition_penalty: ({ encoder_repetition_penalty: penalty }) =>
    when(penalty !== 1, { use: 'encoder-repetition', penalty }),
  no_repeat_ngram: ({ no_repeat_ngram_size: n }) => when(n > 0, { use: 'no-repeat-ngram', n }),
};

const LAST: readonly Nickname[] = ['temperature', 'dynamic_temperature', 'quadratic_sampling'];

/**
 * text-generation-webui: samplers in the order of a list, those that the list leaves out in front.
 * Source: text-generation-webui, modules/sampler_hijack.py and modules/presets.py.
 */
export const textGenerationWebui = profileOf({
  name: 'text-generation-webui',
  system: 'text-generation-webui with its transformers loaders: the fields of a preset',
  differs: [
    'the penalties count the prompt, over the last 1024 ids',
    'the samplers stand in any order; those that the list leaves out stand in front',
    'by default no-repeat-ngram stands behind the filters, and typical, epsilon, eta, tail-free and top-a in front of min-p',
    'both temperatures run where both are on',
    'the cutoffs are in units of 0.0001',
    'tail-free there always drops the last id, and counts masked ids; here a curve that is straight has no tail',
    'mirostat and adaptive-p choose where they stand: nothing that is on may stand behind them; mirostat draws twice there',
    'XTC there spares all where the newline or the end would go: give the step `xtc` its special_ids in a chain of your own',
  ],
  params,
  refused: {
    ...OF_REQUEST,
    max_new_tokens: LENGTH,
    do_sample: 'without it some samplers run and others do not: give the parameters that you mean',
    top_n_sigma: 'there masked ids count as logits of 0: the step `top-n-sigma` has another rule',
    guidance_scale: SECOND,
    negative_prompt: SECOND,
    penalty_alpha: 'contrastive search is no chain of processors',
    custom_token_bans: 'give the step `banned-tokens` in a chain of your own',
    ban_eos_token: 'give the step `banned-tokens` in a chain of your own',
    grammar_string: GRAMMAR,
  },
  steps: (p) => {
    const order = withLast(p.sampler_priority ?? DEFAULT_PRIORITY, p.temperature_last);
    const unnamed = DEFAULT_PRIORITY.filter((name) => !order.includes(name));
    return chosenLast([...unnamed, ...order].flatMap((name) => STEPS[name](p)));
  },
});

/** Mirostat and adaptive-p choose the id where they stand, so that nothing may stand behind them. */
function chosenLast(steps: readonly ChainStepData[]): readonly ChainStepData[] {
  const at = steps.findIndex(({ use }) => use === 'mirostat-v2' || use === 'adaptive-p');
  const behind = at < 0 ? undefined : steps[at + 1];
  if (behind === undefined) return steps;
  const domain = `such that ${steps[at]?.use}, which chooses, is the last that is on`;
  throw new InvalidValueError(OWNER, 'sampler_priority', domain, behind.use);
}

function withLast(order: readonly Nickname[], isLast: boolean): readonly Nickname[] {
  return isLast ? [...order.filter((name) => !LAST.includes(name)), ...LAST] : order;
}

/** 0 is all ids. */
function windowOf({ repetition_penalty_range: range }: WebuiValues): Window {
  return range === 0 ? undefined : range;
}

function dynamic(p: WebuiValues): readonly ChainStepData[] {
  if (!p.dynamic_temperature) return [];
  const { dynatemp_low: low, dynatemp_high: high, dynatemp_exponent: exponent } = p;
  if (low <= high) return [{ use: 'dynamic-temperature', low, high, exponent }];
  throw new InvalidValueError(OWNER, 'dynatemp_low', `at most dynatemp_high, ${high}`, low);
}
