/**
 * The order of the samplers of text-generation-webui.
 */
import { listOf } from '../../../processors/list-schema.js';
import * as z from '../../../processors/zod.js';

const NICKNAMES = [
  ...(['repetition_penalty', 'presence_penalty', 'frequency_penalty', 'dry'] as const),
  ...(['temperature', 'dynamic_temperature', 'quadratic_sampling'] as const),
  ...(['top_k', 'top_p', 'typical_p', 'epsilon_cutoff', 'eta_cutoff', 'tfs', 'top_a', 'min_p'] as const),
  ...(['adaptive_p', 'mirostat', 'xtc', 'encoder_repetition_penalty', 'no_repeat_ngram'] as const),
];

export type Nickname = (typeof NICKNAMES)[number];

export const DEFAULT_PRIORITY: readonly Nickname[] = Object.freeze(NICKNAMES);

const DOMAIN = `different names of ${NICKNAMES.join(', ')}, as an array or one a line`;
const KNOWN: ReadonlySet<unknown> = new Set(NICKNAMES);

/** The order as an array of names, or as a text with one in each line. */
export function priorityList() {
  const name = z.custom<Nickname>((value) => KNOWN.has(value), { error: DOMAIN });
  const read = z.transform((given: unknown) => (typeof given === 'string' ? linesOf(given) : given));
  const isOnce = z.custom<unknown>((value) => !Array.isArray(value) || isDistinct(value), { error: DOMAIN });
  const list = z.pipe(isOnce, listOf(name, DOMAIN) as never);
  return z.optional(z.pipe(z.pipe(z.unknown(), read), list)).check(z.describe(DOMAIN)) as unknown as PriorityList;
}

type PriorityList = z.ZodMiniType<readonly Nickname[] | undefined>;

function linesOf(text: string): readonly string[] {
  const lines = text.split(/[\n,]/, NICKNAMES.length + 1).map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

function isDistinct(list: readonly unknown[]): boolean {
  return list.length <= NICKNAMES.length && new Set(list).size === list.length;
}
