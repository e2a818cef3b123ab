/**
 * Biases of sequences of ids: each for the last id, where the text ends with the others.
 */
import { type Candidates, InvalidValueError } from '../../contract.js';
import { checkWithin } from './ids.js';
import { isBegun } from './is-begun.js';

export interface BiasedSequence {
  /** What an error names: where the ids stand in the options. */
  readonly idsName: string;
  /** The same for the bias. */
  readonly name: string;
  readonly ids: readonly number[];
  readonly bias: number;
}

/** Adds the biases of those of `sequences` that `text` begins; those of one id are summed first, in the order given. */
export function addBegunBiases(
  candidates: Candidates,
  text: readonly number[],
  sequences: readonly BiasedSequence[],
  owner: string,
): void {
  const sums = new Map<number, BiasedSequence>();
  for (const one of sequences) {
    checkWithin(one.ids, candidates.vocabSize, owner, one.idsName);
    if (!isBegun(one.ids, text)) continue;
    const last = one.ids[one.ids.length - 1] as number;
    sums.set(last, { ...one, bias: (sums.get(last)?.bias ?? 0) + one.bias });
  }
  for (const [id, one] of sums) checkFinite(candidates.logit(id), one, owner);
  candidates.adjustLogits([...sums.keys()], (l, id) => l + (sums.get(id) as BiasedSequence).bias);
}

/** All of it first: a refusal leaves every logit as it was. */
function checkFinite(l: number, { name, bias }: BiasedSequence, owner: string): void {
  if (l === -Infinity || Number.isFinite(l + bias)) return;
  throw new InvalidValueError(owner, name, 'small enough that no logit overflows', bias);
}
