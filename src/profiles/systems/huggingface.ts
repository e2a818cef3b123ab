import { listOf, oneOrListOf, typedListOf } from '../../../processors/list-schema.js';
import * as z from '../../../processors/zod.js';
import type { ChainStepData } from '../../chain/chain-data.js';
import { InvalidValueError } from '../../errors.js';
import { flag, ids, integerFrom, numberIn, or, positive, share } from '../parts/domains.js';
import { decay, sequences } from '../parts/hf-values.js';
import { BEAMS, LENGTH, OF_REQUEST, SECOND } from '../parts/reasons.js';
import { refuseUnused } from '../parts/refuse-unused.js';
import { when } from '../parts/steps.js';
import { type ProfileParam, profileOf, type Values } from '../profile.js';

const OWNER = 'profile huggingface';
const END_IDS = 'an id or an array of ids';
const WORDS = 'a non-empty array of arrays of ids';

const cutoff = () =>
  or(
    numberIn('a number in [0, 1)', (x) => x >= 0 && x < 1),
    0,
  );
const endIds = () => z.optional(oneOrListOf(integerFrom(0), END_IDS));

const always = {
  do_sample: { schema: or(flag(), false), help: 'samples; without it the likeliest id comes, and no filter runs' },
  eos_token_id: { schema: endIds(), help: 'the end ids, for min_new_tokens' },
  sequence_bias: { schema: sequences(), help: 'added to the logit of the last id of a sequence, behind the others' },
  encoder_repetition_penalty: { schema: or(positive(), 1), help: 'makes the ids of the prompt likelier' },
  encoder_no_repeat_ngram_size: {
    schema: or(integerFrom(0), 0),
    help: 'no so many ids in a row come out of the prompt',
  },
  min_length: { schema: or(integerFrom(0), 0), help: 'no end id before prompt and output have so many ids' },
  exponential_decay_length_penalty: { schema: decay(), help: 'from a length on, how fast the end becomes likelier' },
  repetition_penalty: {
    schema: or(positive(), 1),
    help: 'divides or multiplies the logits of ids of prompt and output',
  },
  no_repeat_ngram_size: { schema: or(integerFrom(0), 0), help: 'no so many ids in a row come twice; 0 is off' },
  bad_words_ids: {
    schema: z.optional(listOf(typedListOf(integerFrom(0), 'a non-empty array of ids', 1), WORDS, 1)),
    help: 'sequences of ids that do not come',
  },
  min_new_tokens: { schema: or(integerFrom(0), 0), help: 'no end id before so many new tokens' },
  max_new_tokens: { schema: z.optional(integerFrom(1)), help: 'the most new tokens, for forced_eos_token_id' },
  forced_eos_token_id: { schema: z.optional(integerFrom(0)), help: 'the id of the last token that there is room for' },
  suppress_tokens: { schema: ids(), help: 'ids that never come' },
  begin_suppress_tokens: { schema: ids(), help: 'ids that do not come first' },
  renormalize_logits: { schema: or(flag(), false), help: 'makes logprobs of the logits at the end' },
} satisfies Readonly<Record<string, ProfileParam>>;

const sampled = {
  temperature: { schema: or(positive(), 1), help: 'divides the logits' },
  top_h: {
    schema: z.optional(numberIn('a number in (0, 1]', (x) => x > 0 && x <= 1)),
    help: 'keeps the best up to this share of the entropy',
  },
  top_k: { schema: or(integerFrom(0), 50), help: 'keeps the k most likely; 0 is off' },
  top_p: { schema: or(share(), 1), help: 'keeps the most likely that together reach p' },
  min_p: { schema: z.optional(share()), help: 'keeps those at least m times as likely as the best' },
  typical_p: {
    schema: or(
      numberIn('a number in (0, 1]', (x) => x > 0 && x <= 1),
      1,
    ),
    help: 'keeps those of typical surprise',
  },
  epsilon_cutoff: { schema: cutoff(), help: 'keeps those at least so likely' },
  eta_cutoff: { schema: cutoff(), help: 'keeps those at least as likely as a bound that follows the entropy' },
} satisfies Readonly<Record<string, ProfileParam>>;

const params = { ...always, ...sampled };

type HfValues = Values<typeof params>;

/**
 * Hugging Face transformers: processors, and with do_sample the warpers behind them.
 * Source: transformers, generation/utils.py, _get_logits_processor, and generation/logits_process.py.
 */
export const huggingface = profileOf({
  name: 'huggingface',
  system: 'Hugging Face transformers: the fields of GenerationConfig',
  differs: [
    'greedy without do_sample, as there; a parameter of sampling beside that is refused, not ignored',
    'top_k 50 where nothing is said',
    'typical, epsilon and eta stand behind min-p, and top-h in front of top-k',
    'there, all ids tied at the last place of top-k and of typical stay; here the lowest do',
    'there is no presence and no frequency penalty',
    'a forced end id that was banned is refused, where there it comes back',
  ],
  params,
  refused: {
    ...OF_REQUEST,
    max_length: LENGTH,
    stop_strings: OF_REQUEST.stop,
    max_time: 'it belongs to the request: its `signal` ends it',
    num_beams: BEAMS,
    num_beam_groups: BEAMS,
    length_penalty: BEAMS,
    early_stopping: BEAMS,
    diversity_penalty: BEAMS,
    guidance_scale: SECOND,
    prefix_allowed_tokens_fn: 'a function is no data: the class `Constrained` takes one',
    forced_bos_token_id: 'there it is forced behind one id of prompt; the step `forced-begin` forces the first new id',
    remove_invalid_values: 'logits that are NaN or infinite are refused before the chain',
    watermarking_config: "its green lists come from torch's generator: the step `green-list` has lists of its own",
    penalty_alpha: 'contrastive search is no chain of processors',
    token_healing: 'it changes the prompt',
    logits_processor: 'a function is no data: give a chain of your own',
  },
  steps: (p) => {
    if (!p.do_sample) refuseUnused(OWNER, params, p, Object.keys(always), 'it needs do_sample');
    return [
      ...processors(p),
      ...(p.do_sample ? warpers(p) : [{ use: 'temperature', temperature: 0 }]),
      ...when(p.renormalize_logits && p.do_sample, { use: 'log-softmax' }),
    ];
  },
});

function processors(p: HfValues): readonly ChainStepData[] {
  return [
    ...when(p.sequence_bias !== undefined, { use: 'sequence-bias', sequences: p.sequence_bias }),
    ...when(p.encoder_repetition_penalty !== 1, { use: 'encoder-repetition', penalty: p.encoder_repetition_penalty }),
    ...when(p.repetition_penalty !== 1, { use: 'repetition-penalty', penalty: p.repetition_penalty }),
    ...when(p.no_repeat_ngram_size > 0, { use: 'no-repeat-ngram', n: p.no_repeat_ngram_size }),
    ...when(p.encoder_no_repeat_ngram_size > 0, { use: 'encoder-no-repeat-ngram', n: p.encoder_no_repeat_ngram_size }),
    ...badWords(p),
    ...minima(p),
    ...forcedEnd(p),
    ...decayed(p),
    ...when(isSome(p.suppress_tokens), { use: 'banned-tokens', ids: p.suppress_tokens }),
    ...when(isSome(p.begin_suppress_tokens), { use: 'suppress-at-begin', ids: p.begin_suppress_tokens }),
  ];
}

function warpers(p: HfValues): readonly ChainStepData[] {
  return [
    ...when(p.temperature !== 1, { use: 'temperature', temperature: p.temperature }),
    ...when(p.top_h !== undefined, { use: 'top-h', h: p.top_h }),
    ...when(p.top_k > 0, { use: 'top-k', k: p.top_k }),
    ...when(p.top_p < 1, p.top_p > 0 ? { use: 'top-p', p: p.top_p } : { use: 'top-k', k: 1 }),
    ...when(p.min_p !== undefined && p.min_p > 0, { use: 'min-p', m: p.min_p }),
    ...when(p.typical_p < 1, { use: 'typical', p: p.typical_p }),
    ...when(p.epsilon_cutoff > 0, { use: 'epsilon', epsilon: p.epsilon_cutoff }),
    ...when(p.eta_cutoff > 0, { use: 'eta', epsilon: p.eta_cutoff }),
  ];
}

/** An end id alone is no word there. */
function badWords({ bad_words_ids: given, eos_token_id }: HfValues): readonly ChainStepData[] {
  const ends = endsOf(eos_token_id);
  const words = given?.filter((word) => !(word.length === 1 && ends.includes(word[0] as number)));
  return words === undefined ? [] : [{ use: 'bad-words', words }];
}

function minima(p: HfValues): readonly ChainStepData[] {
  const { min_length, min_new_tokens: min_tokens } = p;
  return [
    ...(min_length === 0 ? [] : [{ use: 'min-length', min_length, end_ids: neededEnds(p, 'min_length') }]),
    ...(min_tokens === 0 ? [] : [{ use: 'min-tokens', min_tokens, end_ids: neededEnds(p, 'min_new_tokens') }]),
  ];
}

function decayed(p: HfValues): readonly ChainStepData[] {
  const { exponential_decay_length_penalty: given } = p;
  if (given === undefined) return [];
  const [start, factor] = given;
  const end_ids = neededEnds(p, 'exponential_decay_length_penalty');
  return [{ use: 'exponential-decay-length', start, factor, end_ids }];
}

/** The end ids, which the parameter `name` cannot do without. */
function neededEnds({ eos_token_id }: HfValues, name: string): readonly number[] {
  const ends = endsOf(eos_token_id);
  if (ends.length > 0) return ends;
  throw new InvalidValueError(OWNER, 'eos_token_id', `${END_IDS}, as ${name} is given`, eos_token_id);
}

function forcedEnd({ forced_eos_token_id: end, max_new_tokens: most }: HfValues): readonly ChainStepData[] {
  if (end === undefined) {
    if (most === undefined) return [];
    throw new InvalidValueError(OWNER, 'max_new_tokens', `absent without forced_eos_token_id: ${LENGTH}`, most);
  }
  if (most !== undefined) return [{ use: 'forced-end', max_tokens: most, end_id: end }];
  throw new InvalidValueError(OWNER, 'max_new_tokens', 'an integer >= 1, as forced_eos_token_id is given', most);
}

function endsOf(given: number | readonly number[] | undefined): readonly number[] {
  return given === undefined ? [] : typeof given === 'number' ? [given] : given;
}

function isSome(list: readonly number[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
