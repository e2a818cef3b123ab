/**
 * What ends a beam before its length does: an end id, or a stop string that its text completes.
 */
import type { Tokenizer } from '../../../processors/tokenizer.js';
import { type HeldText, NOTHING_HELD, TextStream } from '../text/text-stream.js';
import type { Hypothesis } from './hypothesis.js';

/** The end id or stop string that ends a sequence whose beginnings nothing ended; undefined where it may go on. */
export type EndOf = (hypothesis: Hypothesis) => number | string | undefined;

/** What a sequence holds back of its text, and the stop string that it completed. */
interface Scan {
  readonly held: HeldText;
  readonly stop?: string;
}

/** @param tokenizer for the texts; only asked where there are `stops` */
export function endsOf(endIds: readonly number[], stops: readonly string[], tokenizer: Tokenizer | undefined): EndOf {
  const stopOf = tokenizer === undefined || stops.length === 0 ? () => undefined : stopsOf(stops, tokenizer);
  return (hypothesis) => (endIds.includes(hypothesis.id) ? hypothesis.id : stopOf(hypothesis));
}

/** The text of a sequence, cut before its first stop string, and that. */
export function cutText(
  ids: readonly number[],
  stops: readonly string[],
  tokenizer: Tokenizer,
): { readonly text: string; readonly stop?: string } {
  const stream = new TextStream(stops);
  let text = '';
  for (const id of ids) {
    const scan = stream.push(tokenizer.tokenBytes(id));
    text += scan.text;
    if (scan.stop !== undefined) return { text, stop: scan.stop };
  }
  const end = stream.end();
  return { ...end, text: text + end.text };
}

/** Goes on from what was found of the sequence that a sequence continues: constant work for each id. */
function stopsOf(stops: readonly string[], tokenizer: Tokenizer): (hypothesis: Hypothesis) => string | undefined {
  const scans = new WeakMap<Hypothesis, Scan>();
  const scanOf = (hypothesis: Hypothesis): Scan => {
    const known = scans.get(hypothesis);
    if (known !== undefined) return known;
    const { parent, id } = hypothesis;
    if (parent === undefined) return { held: NOTHING_HELD };
    const stream = new TextStream(stops, scanOf(parent).held);
    const { stop } = stream.push(tokenizer.tokenBytes(id));
    const scan = stop === undefined ? { held: stream.held } : { held: NOTHING_HELD, stop };
    scans.set(hypothesis, scan);
    return scan;
  };
  return (hypothesis) => scanOf(hypothesis).stop;
}
