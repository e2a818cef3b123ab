/**
 * Prompt and output, one after the other, without a copy of them.
 */
import type { History } from '../contract.js';

/** How many ids prompt and output have together. */
export function contextLength({ prompt, output }: History): number {
  return prompt.length + output.length;
}

/** The id at `index` in [0, contextLength). */
export function contextId({ prompt, output }: History, index: number): number {
  return (index < prompt.length ? prompt[index] : output[index - prompt.length]) as number;
}
