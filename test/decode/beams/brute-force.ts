/**
 * Every sequence of a small vocabulary with its logprob, by enumeration.
 */
import { tokenLogprobs } from '../../../src/spec.js';

export interface Enumerated {
  readonly ids: readonly number[];
  readonly logprob: number;
  readonly score: number;
}

export interface World {
  readonly logitsAfter: (ids: readonly number[]) => readonly number[];
  readonly endIds: readonly number[];
  /** The ids that may come after `ids`, the generated ones; the others are banned. Default: all. */
  readonly allowed?: (ids: readonly number[]) => readonly number[];
  readonly maxTokens: number;
  /** length^length_penalty. */
  readonly power: (length: number) => number;
}

/** All sequences that end in an end id or have the most tokens, highest score first, ties in the order of their ids. */
export function everySequence(world: World, prompt: readonly number[]): Enumerated[] {
  const all: Enumerated[] = [];
  const visit = (ids: readonly number[], logprob: number): void => {
    const ended = world.endIds.includes(ids.at(-1) ?? -1) || ids.length === world.maxTokens;
    if (ended) {
      all.push({ ids, logprob, score: logprob / world.power(ids.length) });
      return;
    }
    const row = tokenLogprobs(Float32Array.from(world.logitsAfter([...prompt, ...ids])), {});
    const allowed = world.allowed?.(ids) ?? [...row.keys()];
    row.forEach((lp, id) => {
      if (lp > -Infinity && allowed.includes(id)) visit([...ids, id], logprob + lp);
    });
  };
  visit([], 0);
  return all.sort((a, b) => b.score - a.score);
}
