/**
 * What a generation is made of, new or restored.
 */

import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { LanguageModel } from '../../model/language-model.js';
import type { Sampler } from '../../sampler/sampler.js';
import type { WhenFull } from '../session/context.js';
import type { HeldText } from '../text/text-stream.js';
import type { Ending } from './events.js';

/** What a loop needs of the parameters, and all of them that a saved generation keeps. */
export interface LoopParams {
  readonly max_tokens: number;
  readonly stop: readonly string[];
  /** In the first tokens, so many, a stop string is text. */
  readonly stop_after: number;
  readonly stop_token_ids: readonly number[];
  readonly logprobs: number;
}

export interface LoopParts {
  readonly model: LanguageModel;
  readonly tokenizer: Tokenizer;
  readonly params: LoopParams;
  readonly sampler: Sampler;
  readonly whenFull: WhenFull;
  readonly signal?: AbortSignal | undefined;
  /** The prompt's text, where it is to come first. */
  readonly echo?: string | undefined;
  readonly held?: HeldText | undefined;
  /** Tokens before that needed no logits. */
  readonly forced?: number | undefined;
  /** The end, where it was decided before. */
  readonly ending?: Ending | undefined;
  /** Whether the end was handed out before. */
  readonly ended?: boolean;
}
