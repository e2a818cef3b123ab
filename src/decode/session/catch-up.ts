/**
 * Appends to a session the ids that it lacks, in chunks, so that an abort or a timer need not wait for all of them.
 */
import type { ModelSession } from '../../model/language-model.js';
import { breathe } from './breathe.js';
import type { IdList } from './id-list.js';

const CHUNK = 64;

/**
 * Has `session`, which holds the first of `ids`, take in the rest of the first `length` of them, by default of all: the
 * logits after the last; undefined with no rest.
 */
export async function catchUp(
  session: ModelSession,
  ids: IdList,
  signal: AbortSignal | undefined,
  length = ids.length,
): Promise<Float32Array | undefined> {
  let logits: Float32Array | undefined;
  while (session.length < length) {
    await breathe(signal);
    const from = session.length;
    logits = await session.append(ids.slice(from, Math.min(from + CHUNK, length)), signal);
  }
  return logits;
}

/** `catchUp` where there is a rest: the logits after the last of `ids`, f32[V]. */
export async function logitsAfter(
  session: ModelSession,
  ids: IdList,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const logits = await catchUp(session, ids, signal);
  if (logits === undefined) throw new Error(`decode: the session holds all of ${ids.length} ids and computes nothing`);
  return logits;
}
