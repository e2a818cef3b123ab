/**
 * Appends ids to a session and shows the logits after each of them, as scoring needs them.
 */
import type { ModelSession } from '../../model/language-model.js';
import { breathe } from './breathe.js';
import type { IdList } from './id-list.js';

/** Shown the logits that belong to an index, f32[V], valid until it returns. */
export type LookAtLogits = (index: number, logits: Float32Array) => void;

/** Rows of logits at once: with a large vocabulary each has half a megabyte. */
const CHUNK = 16;

/**
 * Appends the rest of the first `length` of `ids`, of which `session` has the first, and shows `look` the logits after each
 * by its index. A session without `appendEach` is asked one id at a time.
 */
export async function walk(
  session: ModelSession,
  ids: IdList,
  length: number,
  signal: AbortSignal | undefined,
  look: LookAtLogits,
): Promise<void> {
  while (session.length < length) {
    await breathe(signal);
    const from = session.length;
    const rows = await appendSome(session, ids.slice(from, Math.min(from + CHUNK, length)), signal);
    for (const [i, logits] of rows.entries()) look(from + i, logits);
  }
}

async function appendSome(
  session: ModelSession,
  ids: readonly number[],
  signal: AbortSignal | undefined,
): Promise<readonly Float32Array[]> {
  if (session.appendEach !== undefined) return session.appendEach(ids, signal);
  return [await session.append(ids.slice(0, 1), signal)];
}
