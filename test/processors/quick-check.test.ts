/**
 * The short way for options gives what zod gives, or nothing.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z as whole } from 'zod';
import { PROCESSORS } from '../../processors/list.js';
import { processorInfo } from '../../processors/processor.js';
import { quickly } from '../../processors/quick-check.js';
import { finite, flag, integerFrom, share } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import { samplingParamsSchema } from '../../src/params/sampling-params.js';

const SCHEMAS = [
  ...PROCESSORS.map((target) => [target.name, processorInfo(target).options] as const),
  ['SamplingParams', samplingParamsSchema] as const,
];

const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1, 0.5, 2, -1, Number.NaN, Infinity, -Infinity, 5e-324, 2 ** 53),
  fc.integer({ min: -3, max: 300 }),
  fc.double(),
);
const values = fc.oneof(
  { weight: 6, arbitrary: numbers },
  fc.constantFrom(undefined, null, '1', 1n, true, [], ['a'], [1], [''], {}),
);

describe('options on the short way', () => {
  it.each(SCHEMAS)('are those of zod, or go through it: %s', (_, schema) => {
    const fields = Object.keys(schema.shape);
    const names = fields.length === 0 ? fc.constant('') : fc.constantFrom(...fields); // some have no options
    const inputs = fc.dictionary(names, values, { maxKeys: fields.length });
    fc.assert(
      fc.property(inputs, (given) => {
        const made = quickly(schema, given);
        const result = z.safeParse(schema, given);
        if (made !== undefined) expect({ ...result, data: made }).toStrictEqual({ success: true, data: result.data });
      }),
    );
  });

  it('exist where fields are numbers, left out or by default', () => {
    const schema = z.strictObject({ a: share(), b: z.optional(integerFrom(1)), c: z._default(finite(), 7) });
    expect(quickly(schema, { a: 0.5 })).toStrictEqual({ a: 0.5, c: 7 });
    expect(quickly(schema, { a: 1, b: 2, c: -1 })).toStrictEqual({ a: 1, b: 2, c: -1 });
    expect(quickly(samplingParamsSchema, { temperature: 0.5, seed: 7n })).toMatchObject({ temperature: 0.5, seed: 7n });
  });

  it.each([{ a: 2 }, { a: Number.NaN }, { a: '1' }, {}, { a: 1, b: 0 }])(
    'do not exist for what is wrong: %o',
    (given) => {
      expect(quickly(z.strictObject({ a: share(), b: z.optional(integerFrom(1)) }), given)).toBeUndefined();
    },
  );

  it('do not exist for a schema that asks for more', () => {
    const a = share();
    const even = (x: unknown) => (x as { a: number }).a !== 0.5;
    for (const schema of [
      z.strictObject({ a: a.check(z.refine((x) => x !== 0.5)) }),
      z.strictObject({ a }).check(z.refine(even)),
      z.strictObject({ a: z.optional(a).check(z.refine((x) => x !== 0.5)) }),
      z.strictObject({ a: z.nullable(a) }),
      z.strictObject({ a, f: flag() }),
      z.object({ a }),
      whole.strictObject({ a: whole.number() }),
    ]) {
      expect(quickly(schema as never, { a: 0.5 })).toBeUndefined();
    }
  });

  it('have a new default each time, where a function makes it', () => {
    const schema = z.strictObject({ list: z._default(z.array(finite()), () => []) });
    const [one, two] = [quickly(schema, {}), quickly(schema, {})] as { list: number[] }[];
    expect(one).toStrictEqual({ list: [] });
    expect(one?.list).not.toBe(two?.list);
  });
});
