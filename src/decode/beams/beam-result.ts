/**
 * What a beam search gives: its sequences, and on the way the state of each step.
 */
import type { Tokenizer } from '../../model/tokenizer.js';
import type { Seed } from '../../random/seed.js';
import type { LengthBy } from '../events.js';
import { textOfIds } from '../text-of-ids.js';
import type { BeamFinishReason, Ended } from './beam-rules.js';
import type { Hypothesis } from './hypothesis.js';

/** A sequence of the result. */
export interface BeamSequence {
  /** The generated ids, the end id that ended it included, as Hugging Face gives them (without the prompt). */
  readonly ids: readonly number[];
  /** The text of the ids without the end id; where the search had a tokenizer. */
  readonly text?: string;
  /** logprob / length^length_penalty, the length that of `ids`. */
  readonly score: number;
  /** The sum of `logprobs`, first to last, in nats. */
  readonly logprob: number;
  /** What each id added, in nats: its logprob after the processors. */
  readonly logprobs: readonly number[];
  readonly finish_reason: BeamFinishReason;
  /** With the reason `length`: which one. */
  readonly length_by?: LengthBy;
}

export interface BeamResult {
  /** `num_return_sequences` of them, best first; fewer where fewer came about. */
  readonly sequences: readonly BeamSequence[];
  /** Tokens of the longest beam: how often the live beams were extended. */
  readonly steps: number;
  /** With `do_sample`: the seed, given or chosen. */
  readonly seed?: Seed;
}

/** A beam that lives on. */
export interface LiveBeam {
  readonly ids: readonly number[];
  /** Nats. */
  readonly logprob: number;
}

/** A step of the search: all live beams grew by one id. */
export interface BeamStep {
  /** How often the beams were extended, from 1 on. */
  readonly step: number;
  /** In the order of their flat index; none after the last step. */
  readonly live: readonly LiveBeam[];
  /** What ended so far, best first; later ones may still take a place. */
  readonly ended: readonly BeamSequence[];
}

/** `ended` as a result shows it, of a search for `maxTokens`, where the context may have had room for fewer. */
export function toSequence(ended: Ended, tokenizer: Tokenizer | undefined, maxTokens: number): BeamSequence {
  const { hypothesis, score, finish_reason } = ended;
  const { ids, steps: logprobs, logprob } = hypothesis;
  const length_by: LengthBy = ids.length < maxTokens ? 'context' : 'max_tokens';
  const sequence = {
    ...{ ids, score, logprob, logprobs, finish_reason },
    ...(finish_reason === 'length' ? { length_by } : {}),
  };
  if (tokenizer === undefined) return sequence;
  return { ...sequence, text: textOfIds(finish_reason === 'stop' ? ids.slice(0, -1) : ids, tokenizer) };
}

/** `beam` as a step shows it. */
export function toLive({ ids, logprob }: Hypothesis): LiveBeam {
  return { ids, logprob };
}
