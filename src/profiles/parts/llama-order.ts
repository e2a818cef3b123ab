/**
 * The order of llama.cpp's samplers, as names or as letters.
 */
import { listOf } from '../../../processors/list-schema.js';
import * as z from '../../../processors/zod.js';

/** Each sampler with its letter. */
const LETTERS = {
  penalties: 'e',
  dry: 'd',
  top_n_sigma: 's',
  top_k: 'k',
  typ_p: 'y',
  top_p: 'p',
  min_p: 'm',
  xtc: 'x',
  temperature: 't',
  adaptive_p: 'a',
} as const;

export type Sampler = keyof typeof LETTERS;

const SAMPLERS = Object.keys(LETTERS) as Sampler[];
const BY_LETTER: ReadonlyMap<string, Sampler> = new Map(SAMPLERS.map((name) => [LETTERS[name], name]));

/** `edskypmxt`. */
export const DEFAULT_ORDER: readonly Sampler[] = SAMPLERS.filter((name) => name !== 'adaptive_p');

/** More of them are no order. */
const MOST = 64;

const NAMES = `names of ${SAMPLERS.join(', ')}, as an array or with ; between them (infill is the step \`infill\`)`;
const SEQUENCE = `letters of ${[...BY_LETTER.keys()].join('')} (i, infill, is the step \`infill\`)`;

/** The order as an array of names, or as one text with `;` between them. */
export function samplerNames() {
  const name = z.custom<Sampler>(isSampler, { error: NAMES });
  const read = z.transform((given: unknown) => (typeof given === 'string' ? namesIn(given) : given));
  const isShort = z.custom<unknown>((value) => !Array.isArray(value) || value.length <= MOST, { error: NAMES });
  const list = z.pipe(isShort, listOf(name, NAMES));
  return z
    .optional(z.pipe(z.pipe(z.unknown(), read), list as never))
    .check(z.describe(NAMES)) as unknown as SamplerList;
}

/** The order as letters. */
export function samplerLetters() {
  const isSequence = (value: unknown) =>
    typeof value === 'string' && value.length <= MOST && [...value].every((letter) => BY_LETTER.has(letter));
  return z.optional(z.custom<string>(isSequence, { error: SEQUENCE }).check(z.describe(SEQUENCE)));
}

type SamplerList = z.ZodMiniType<readonly Sampler[] | undefined>;

/** The samplers of an order given in either way; the default one of none. */
export function orderOf(given: readonly Sampler[] | string | undefined): readonly Sampler[] {
  if (given === undefined) return DEFAULT_ORDER;
  return typeof given === 'string' ? [...given].map((letter) => BY_LETTER.get(letter) as Sampler) : given;
}

function isSampler(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(LETTERS, value);
}

function namesIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(';', MOST + 1);
}
