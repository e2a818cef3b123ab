/**
 * What a generation gives: an event for each token, and the whole.
 */
import type { JsonValue } from '../../../processors/contract.js';
import type { RankedLogprob } from '../../candidates/scores.js';
import type { Seed } from '../../random/seed.js';

export type FinishReason = 'stop' | 'length';

/** Which length ended a text: `max_tokens`, or the model's context, which was full before. */
export type LengthBy = 'max_tokens' | 'context';

/** The prompt, a generated token, or the end of the text. The `text` of all events together is the text. */
export type GenerateEvent = PromptEvent | TokenEvent | EndEvent;

/** With `echo`, before the first token. */
export interface PromptEvent {
  readonly type: 'prompt';
  /** The prompt's text. */
  readonly text: string;
  /** With `logprobs` n > 0. */
  readonly prompt?: ScoredPrompt;
}

/**
 * What the model thinks of the prompt, an entry for each of its ids: the model's own distribution, as in the OpenAI API and
 * vLLM, so without penalties, masks, temperature and filters. Null where nothing stands before an id: the first one, where
 * the model has no begin token.
 */
export interface ScoredPrompt {
  readonly ids: readonly number[];
  /** Nats. */
  readonly logprobs: readonly (number | null)[];
  /** Of the distribution before the id, in nats. */
  readonly entropies: readonly (number | null)[];
  /** The n most likely ids in its place, as in `TokenEvent`. */
  readonly topLogprobs: readonly (readonly TopLogprob[] | null)[];
}

export interface TokenEvent {
  readonly type: 'token';
  readonly id: number;
  /** Tokens generated so far, this one included. */
  readonly count: number;
  /** Text that became final with this token; often '' or more than the token's own. */
  readonly text: string;
  /** Nats; over the whole vocabulary, after the penalties, before temperature and filters. */
  readonly logprob: number;
  /** Entropy of the distribution that the token was drawn from, in nats; 0 when greedy. */
  readonly entropy: number;
  /** With `logprobs` n > 0: the n most likely ids, most likely first, and behind them this token where it is not of them. */
  readonly topLogprobs?: readonly TopLogprob[];
}

export interface TopLogprob extends RankedLogprob {
  /** The token's bytes, often not whole characters. */
  readonly bytes: readonly number[];
}

export interface EndEvent {
  readonly type: 'end';
  /** Text that was held back and turned out to be no stop string. */
  readonly text: string;
  readonly finish_reason: FinishReason;
  /** The stop string or end id that ended the text. */
  readonly stopped_by?: string | number;
  /** With the reason `length`: which one. */
  readonly length_by?: LengthBy;
  readonly usage: Usage;
  /** What steps of the chain have to say of the text; absent where none has. */
  readonly reports?: Reports;
  /** What the clock says: of all that there is here, the one thing that differs from run to run. */
  readonly timing: Timing;
}

/** The end as it is decided, whenever that was. */
export type Ending = Omit<EndEvent, 'timing' | 'usage' | 'reports'>;

/** Each by the name of its step; where several steps of one name report, the second is under `name 2`, and so on. */
export type Reports = Readonly<Record<string, JsonValue>>;

/** Tokens, the model's begin token and the end id not counted. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /**
   * Tokens of the text that the model was not asked for, as a grammar left one id only; absent where there were none. The
   * model takes them in with the next token that it is asked for.
   */
  readonly forced_tokens?: number;
}

/** The work of this process for this text; time that passed between the tokens is not in it. */
export interface Timing {
  readonly seconds: number;
  /** Tokens generated here a second. */
  readonly tokens_per_second: number;
}

/** The whole of a generated text; of a restored generation, what came after the restore. Equal runs have equal ones. */
export interface GenerateResult {
  /** With `echo`, the prompt's text is its beginning. */
  readonly text: string;
  readonly ids: readonly number[];
  /** One a generated id, in nats. */
  readonly logprobs: readonly number[];
  /** One a generated id, in nats. */
  readonly entropies: readonly number[];
  /** With `logprobs` n > 0, one a generated id. */
  readonly topLogprobs?: readonly (readonly TopLogprob[])[];
  /** With `echo` and `logprobs` n > 0. */
  readonly prompt?: ScoredPrompt;
  readonly finish_reason: FinishReason;
  readonly stopped_by?: string | number;
  readonly length_by?: LengthBy;
  readonly usage: Usage;
  /** What steps of the chain have to say of the text; absent where none has. */
  readonly reports?: Reports;
  /**
   * The seed, given or chosen: with it the run can be repeated. A `number` where it fits in one; JSON, which has no
   * bigints, has the others as decimal digits.
   */
  readonly seed: Seed;
}
