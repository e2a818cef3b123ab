/**
 * Brings a session up to the ids that it is to hold, in chunks, so that an abort or a timer need not wait for all.
 */
import type { ModelSession } from '../model/language-model.js';
import type { Breather } from './breathe.js';

const CHUNK = 64;

/** Has `session`, which holds the first of `ids`, take in the rest: the logits after the last; undefined with no rest. */
export async function catchUp(
  session: ModelSession,
  ids: readonly number[],
  breather: Breather,
  signal: AbortSignal | undefined,
): Promise<Float32Array | undefined> {
  let logits: Float32Array | undefined;
  while (session.length < ids.length) {
    await breather.breathe(signal);
    const from = session.length;
    logits = await session.append(ids.slice(from, from + CHUNK), signal);
  }
  return logits;
}

/** `catchUp` where there is a rest: the logits after the last of `ids`, f32[V]. */
export async function logitsAfter(
  session: ModelSession,
  ids: readonly number[],
  breather: Breather,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const logits = await catchUp(session, ids, breather, signal);
  if (logits === undefined) throw new Error(`decode: the session holds all of ${ids.length} ids and computes nothing`);
  return logits;
}
