/**
 * Random valid options for a schema that this file does not know: values of many kinds are tried until the schema takes
 * one. A new processor is so tried before anybody wrote a test for it.
 */
import type { z } from 'zod';
import type { OptionsSchema, Tokenizer } from '../../processors/index.js';
import type { Pcg32 } from '../../src/random/index.js';
import { pick } from '../support/requests.js';

/** For processors that ask for a tokenizer: each letter is an id below 3. */
export const MOD_3: Tokenizer = {
  vocabSize: 3,
  encode: (text) => Array.from(text, (letter) => (letter.codePointAt(0) as number) % 3),
  tokenBytes: (id) => Uint8Array.of(48 + id),
};

/** What a field may want: numbers of all sizes (off, ordinary and extreme), then everything else. */
const KINDS: readonly ((random: Pcg32) => unknown)[] = [
  (random) => pick(random, [0, 1]),
  (random) => random.uniform(),
  (random) => 0.5 + random.uniform(),
  (random) => pick(random, [2, 5, 40, 64, 1000, 0.05, 0.5, 0.9, 0.95, 1.2, 1e-3, 1 - 2 ** -53]),
  (random) => 4 * random.uniform() - 2,
  (random) => random.below(12),
  () => undefined,
  (random) => random.below(2) === 0,
  (random) => Array.from({ length: random.below(4) }, () => random.below(6)),
  (random) => Array.from({ length: 1 + random.below(3) }, () => [random.below(6), random.below(6)]),
  (random) => Object.fromEntries(Array.from({ length: random.below(4) }, () => [random.below(6), random.uniform()])),
  (random) => pick(random, ['a', 'none', '\n']),
];

/**
 * Two bounds, of which the first is at most the second, and fields that name ids: such as most vocabularies have, and, where only one of them may be left, most rows do not mask.
 * Anything else is refused so often that a law would say nothing.
 */
const NAMED: Readonly<Record<string, (random: Pcg32) => unknown>> = {
  ids: (random) => Array.from({ length: random.below(9) }, () => random.below(4)),
  end_ids: (random) => Array.from({ length: 1 + random.below(2) }, () => random.below(3)),
  end_id: (random) => random.below(3),
  begin: (random) => Array.from({ length: 1 + random.below(2) }, () => random.below(2)),
  end: (random) => Array.from({ length: 1 + random.below(2) }, () => random.below(2)),
  message: (random) => Array.from({ length: random.below(3) }, () => random.below(2)),
  trace: (random) => Array.from({ length: random.below(3) }, () => random.below(2)),
  width: (random) => 1 + random.below(2),
  budget: (random) => random.below(6),
  no_timestamps_id: () => 3,
  low: (random) => pick(random, [1, random.uniform()]),
  high: (random) => pick(random, [1, 1 + random.uniform()]),
  encoder_ids: (random) => (random.below(2) === 0 ? undefined : [random.below(3), random.below(3), random.below(3)]),
  exempt_ids: (random) => Array.from({ length: random.below(2) }, () => random.below(3)),
  sustain: (random) => random.below(6),
  breakers: (random) => [pick(random, ['b', random.below(2)])],
  sequences: (random) =>
    Array.from({ length: random.below(4) }, () => {
      return {
        ids: Array.from({ length: 1 + random.below(3) }, () => random.below(3)),
        bias: 4 * random.uniform() - 2,
      };
    }),
  begin_id: (random) => random.below(3),
  max_tokens: (random) => 1 + random.below(16),
  words: (random) =>
    Array.from({ length: 1 + random.below(5) }, () => {
      return Array.from({ length: 1 + random.below(3) }, () => random.below(3));
    }),
};

/** Options that `schema` takes, each field by itself. Throws for a field that takes none of the kinds. */
export function randomOptions(schema: OptionsSchema, random: Pcg32): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = randomValue(field as z.ZodType, random, name);
    if (value !== undefined) options[name] = value;
  }
  return options;
}

function randomValue(field: z.ZodType, random: Pcg32, name: string): unknown {
  for (let tries = 0; tries < 1000; tries++) {
    const value = (NAMED[name] ?? pick(random, KINDS))(random);
    if (field.safeParse(value).success) return value;
  }
  throw new Error(`the laws know no valid value for \`${name}\`: add a kind to random-options.ts`);
}
