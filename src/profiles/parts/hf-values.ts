/**
 * Values that Hugging Face writes as nested lists.
 */
import * as z from '../../../processors/zod.js';

const SEQUENCES = 'an array of pairs, each an array of ids and its finite bias, as in [[[7, 4], -2]]';
const DECAY = 'a pair, an integer >= 0 and a finite number > 0, as in [50, 1.05]';

type Pair = readonly [ids: readonly number[], bias: number];
type Sequences = readonly { readonly ids: readonly number[]; readonly bias: number }[];

/** `[[[7, 4], -2]]`, as what the step `sequence-bias` takes. */
export function sequences() {
  const isPairs = (value: unknown) => Array.isArray(value) && value.every(isPair);
  const read = z.transform((given: readonly Pair[]) => given.map(([ids, bias]) => ({ ids: [...ids], bias })));
  const schema = z.pipe(z.custom<readonly Pair[]>(isPairs, { error: SEQUENCES }), read).check(z.describe(SEQUENCES));
  return z.optional(schema) as unknown as z.ZodMiniType<Sequences | undefined>;
}

/** The length from which on the end becomes likelier, and how fast. */
export function decay() {
  const isOne = (value: unknown) => Array.isArray(value) && value.length === 2 && isId(value[0]) && isFactor(value[1]);
  return z.optional(z.custom<readonly [number, number]>(isOne, { error: DECAY }).check(z.describe(DECAY)));
}

function isPair(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [ids, bias] = value;
  return Array.isArray(ids) && ids.length > 0 && ids.every(isId) && Number.isFinite(bias);
}

function isId(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isFactor(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) > 0;
}
