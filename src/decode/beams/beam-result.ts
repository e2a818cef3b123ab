/**
 * What a beam search gives: its sequences, and on the way the state of each step.
 */
import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { Seed } from '../../random/seed.js';
import type { LengthBy, Reports } from '../run/events.js';
import { cutText } from './beam-ends.js';
import type { BeamParams } from './beam-params.js';
import type { BeamFinishReason, Ended } from './beam-rules.js';
import type { Hypothesis } from './hypothesis.js';

/** A sequence of the result. */
export interface BeamSequence {
  /**
   * The generated ids, as Hugging Face gives them (without the prompt): the end id that ended it, or the ids that completed
   * a stop string, included.
   */
  readonly ids: readonly number[];
  /** The text of the ids without the end id, cut before a stop string; where the search had a tokenizer. */
  readonly text?: string;
  /** logprob / length^length_penalty, the length that of `ids`. */
  readonly score: number;
  /** The sum of `logprobs`, first to last, in nats. */
  readonly logprob: number;
  /** What each id added, in nats: its logprob after the processors. */
  readonly logprobs: readonly number[];
  readonly finish_reason: BeamFinishReason;
  /** With the reason `stop`: the end id or stop string. */
  readonly stopped_by?: number | string;
  /** With the reason `length`: which one. */
  readonly length_by?: LengthBy;
  /** What steps of the chain have to say of this sequence; absent where none has. */
  readonly reports?: Reports;
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

/** `ended` as a result shows it, of a search for `max_tokens`, where the context may have had room for fewer. */
export function toSequence(
  { hypothesis, score, ...ended }: Ended,
  tokenizer: Tokenizer | undefined,
  { max_tokens, stop }: Pick<BeamParams, 'max_tokens' | 'stop'>,
  reports: Reports | undefined,
): BeamSequence {
  const { ids, steps: logprobs, logprob } = hypothesis;
  const sequence = { ids, score, logprob, logprobs };
  const told = reports === undefined ? {} : { reports };
  if (tokenizer === undefined) return { ...sequence, ...endOf(ended, ids, max_tokens), ...told };
  const isAtId = typeof ended.stopped_by === 'number';
  const { text, stop: by } = cutText(isAtId ? ids.slice(0, -1) : ids, stop, tokenizer);
  const end = by === undefined ? ended : ({ finish_reason: 'stop', stopped_by: by } as const);
  return { ...sequence, text, ...endOf(end, ids, max_tokens), ...told };
}

type End = Pick<BeamSequence, 'finish_reason' | 'stopped_by' | 'length_by'>;

function endOf(end: End, { length }: readonly number[], maxTokens: number): End {
  if (end.finish_reason !== 'length') return end;
  return { ...end, length_by: length < maxTokens ? 'context' : 'max_tokens' };
}

/** `beam` as a step shows it. */
export function toLive({ ids, logprob }: Hypothesis): LiveBeam {
  return { ids, logprob };
}
