/**
 * A generation as JSON: enough to go on in another process with the same ids, logprobs and pieces of text.
 */
import { listOf } from '../../../processors/list-schema.js';
import { checkOptions, flag, integerFrom, numberIn } from '../../../processors/schema.js';
import type { Tokenizer } from '../../../processors/tokenizer.js';
import * as z from '../../../processors/zod.js';
import { InvalidValueError } from '../../errors.js';
import type { LanguageModel } from '../../model/language-model.js';
import { type SamplerState, samplerStateSchema } from '../../sampler/sampler-state.js';
import { generationParamsSchema } from '../generation-params.js';
import type { WhenFull } from '../session/context.js';
import type { HeldText } from '../text/text-stream.js';
import type { Ending } from './events.js';
import type { LoopParams } from './loop-parts.js';

/** The version of the format; another one is refused. */
export const STATE_VERSION = 2;

export interface GenerationState {
  readonly version: typeof STATE_VERSION;
  readonly model: ModelFacts;
  readonly tokenizer: TokenizerFacts;
  /** The chain and its fingerprint, the seed, the draws, the ids and the states of the steps. */
  readonly sampler: SamplerState;
  /** The parameters that are not the sampler's. */
  readonly params: LoopParams;
  readonly whenFull: WhenFull;
  readonly held: HeldText;
  /** Tokens that needed no logits, where there were any. */
  readonly forced?: number;
  /** The prompt's text, where it was to come first and has not come yet. */
  readonly echo: string | null;
  /** The end, once it is decided. */
  readonly ending: Ending | null;
  /** Whether the end was handed out. */
  readonly ended: boolean;
}

/** What two models must have in common for one to go on where the other stopped. */
export interface ModelFacts {
  /** Who the model is; null for one that does not say: then the caller answers for its weights. */
  readonly id: string | null;
  readonly vocabSize: number;
  readonly contextLength: number;
  readonly beginId: number | null;
  readonly endIds: readonly number[];
}

/** What two tokenizers must have in common likewise. */
export interface TokenizerFacts {
  readonly id: string | null;
  readonly vocabSize: number;
}

const id = integerFrom(0);
const BYTES = 'an array of at most 3 bytes';
const WHEN_FULL = '`stop` or `slide`';
const TEXT_OR_NULL = 'a string or null';

const byte = numberIn(BYTES, (x) => Number.isInteger(x) && x >= 0 && x < 256);
const text = z.string({ error: 'a string' });
const textOrNull = z.nullable(z.string({ error: TEXT_OR_NULL }));
const { stop, stop_token_ids } = generationParamsSchema.shape;

const endingSchema = z.strictObject({
  type: z.literal('end', { error: '`end`' }),
  text,
  finish_reason: z.enum(['stop', 'length'], { error: '`stop` or `length`' }),
  stopped_by: z.optional(z.union([z.string(), id], { error: 'a string or an id' })),
  length_by: z.optional(z.enum(['max_tokens', 'context'], { error: '`max_tokens` or `context`' })),
});

const schema = z.strictObject({
  version: z.literal(STATE_VERSION, { error: `${STATE_VERSION}, the format this version reads` }),
  model: z.strictObject({
    id: textOrNull,
    vocabSize: integerFrom(1),
    contextLength: integerFrom(1),
    beginId: z.nullable(id),
    endIds: listOf(id, 'an array of integers >= 0'),
  }),
  tokenizer: z.strictObject({ id: textOrNull, vocabSize: integerFrom(1) }),
  sampler: samplerStateSchema,
  params: z.strictObject({
    max_tokens: integerFrom(0),
    stop: stop._zod.def.innerType,
    stop_token_ids: stop_token_ids._zod.def.innerType,
    logprobs: integerFrom(0),
    stop_after: integerFrom(0),
  }),
  whenFull: z.enum(['stop', 'slide'], { error: WHEN_FULL }),
  held: z.strictObject({
    bytes: listOf(byte, BYTES).check(z.refine(({ length }) => length <= 3, { error: BYTES })),
    text,
    passed: integerFrom(0),
  }),
  forced: z.optional(integerFrom(1)),
  echo: textOrNull,
  ending: z.nullable(endingSchema),
  ended: flag(),
});

/** What a state says of `model`. */
export function modelFacts({ id, vocabSize, contextLength, beginId, endIds }: LanguageModel): ModelFacts {
  return { id: id ?? null, vocabSize, contextLength, beginId: beginId ?? null, endIds: [...endIds] };
}

/** What a state says of `tokenizer`. */
export function tokenizerFacts({ id, vocabSize }: Tokenizer): TokenizerFacts {
  return { id: id ?? null, vocabSize };
}

/** `state` checked; throws InvalidValueError for what `save` of a generation did not write. */
export function checkGenerationState(state: unknown): GenerationState {
  return checkOptions('GenerationState', schema, state) as unknown as GenerationState;
}

/** Refuses the state of another model or another tokenizer: by what they say they are, and by their sizes. */
export function checkOwners(state: GenerationState, model: LanguageModel, tokenizer: Tokenizer): void {
  checkFacts('model', state.model, modelFacts(model));
  checkFacts('tokenizer', state.tokenizer, tokenizerFacts(tokenizer));
}

function checkFacts<F extends object>(owner: string, saved: F, here: F): void {
  for (const name of Object.keys(here) as (keyof F & string)[]) {
    const found = JSON.stringify(here[name]);
    if (JSON.stringify(saved[name]) === found) continue;
    const domain = `${found}, that of the ${owner} given`;
    throw new InvalidValueError('GenerationState', `${owner}.${name}`, domain, saved[name]);
  }
}
