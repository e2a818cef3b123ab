import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkOptions, integerFrom, share } from '../../processors/index.js';

const schema = z.strictObject({
  share: share(),
  count: integerFrom(2).default(7),
  ids: z.array(integerFrom(0), { error: 'an array of ids' }).optional(),
  bias: z.record(z.string(), share()).optional(),
});

describe('checkOptions', () => {
  it('gives complete, frozen options, and leaves the input alone', () => {
    const input = { share: 0.5 };
    const options = checkOptions('Mine', schema, input);
    expect(options).toEqual({ share: 0.5, count: 7 });
    expect(Object.isFrozen(options)).toBe(true);
    expect(input).toEqual({ share: 0.5 });
    expect(Object.isFrozen(input)).toBe(false);
  });

  it.each([
    { input: { share: 2 }, message: '`share` must be a number in [0, 1], got 2' },
    { input: {}, message: '`share` must be a number in [0, 1], got undefined' },
    { input: { share: 0, count: 1 }, message: '`count` must be an integer >= 2, got 1' },
    { input: { share: 0, ids: 3 }, message: '`ids` must be an array of ids, got 3' },
    { input: { share: 0, ids: [4, 5, -1] }, message: '`ids[2]` must be an integer >= 0, got -1' },
    { input: { share: 0, bias: { 7: 3 } }, message: '`bias.7` must be a number in [0, 1], got 3' },
    {
      input: { share: 0, other: 'x' },
      message: '`other` must be absent (the parameters are: share, count, ids, bias), got "x"',
    },
    { input: null, message: '`options` must be a plain object, got null' },
    { input: [1], message: '`options` must be a plain object, got [1]' },
  ])('names the first wrong field, where it stands, and its value: $message', ({ input, message }) => {
    expect(() => checkOptions('Mine', schema, input)).toRefuse(`Mine: ${message}`);
  });

  it('says so where there are no parameters at all', () => {
    expect(() => checkOptions('Mine', z.strictObject({}), { a: 1 })).toRefuse(
      'Mine: `a` must be absent (the parameters are: none), got 1',
    );
  });
});
