import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { z as zod3 } from 'zod/v3';
import {
  checkOptions,
  InvalidValueError,
  integerFrom,
  type OptionsSchema,
  processor,
  share,
} from '../../processors/index.js';

const schema = z.strictObject({
  share: share(),
  count: z.prefault(integerFrom(2), 7),
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

describe('what is no plain object (I2)', () => {
  class Options {}
  const promise = 'a plain object (await the promise)';

  it.each<[string, unknown, string, string]>([
    ['a Map', new Map(), 'a plain object', 'a Map'],
    ['a promise', Promise.resolve({}), promise, 'a Promise'],
    ['something with a `then`', Object.fromEntries([['then', () => 1]]), promise, '{ then: a function (unnamed) }'],
    ['a Date', new Date(0), 'a plain object', 'a Date'],
    ['an array', [], 'a plain object', '[]'],
    ['an instance of a class', new Options(), 'a plain object', 'a Options'],
    ['an object that inherits', Object.create({ share: 0.5 }), 'a plain object', 'a Object'],
    ['Math', Math, 'a plain object', 'a Math'],
    ['a boxed number', Object(1), 'a plain object', 'a Number'],
    ['undefined', undefined, 'a plain object', 'undefined'],
  ])('is refused: %s', (_, input, domain, shown) => {
    const all = z.strictObject({ share: z.optional(share()) });
    expect(() => checkOptions('Mine', all, input)).toRefuse(`Mine: \`options\` must be ${domain}, got ${shown}`);
    expect(() => checkOptions('Mine', all, input, 'params')).toThrow('Mine: `params` must be a plain object');
  });

  it.each<[string, unknown]>([
    ['of another realm', runInNewContext('({ share: 0.5 })')],
    ['without a prototype', Object.assign(Object.create(null), { share: 0.5 })],
    ['behind a Proxy', new Proxy({ share: 0.5 }, {})],
  ])('is none: an object %s', (_, input) => {
    expect(checkOptions('Mine', schema, input)).toEqual({ share: 0.5, count: 7 });
  });
});

describe('what cannot be read (I1)', () => {
  function fail(): never {
    throw new TypeError('not to be looked at');
  }
  const tree: z.ZodType = z.lazy(() => z.array(tree, { error: 'a tree' }));
  const withTree = z.strictObject({ share: z.optional(share()), tree: tree.optional() });
  let deep: unknown[] = [];
  for (let i = 0; i < 9000; i++) deep = [deep];
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();

  it.each<[string, unknown, string]>([
    [
      'a getter',
      Object.defineProperty({}, 'share', { get: fail, enumerable: true }),
      '`share` must be a value that can be read',
    ],
    ['a Proxy', new Proxy({}, { getPrototypeOf: fail }), '`options` must be a plain object'],
    ['a Proxy that shows no keys', new Proxy({}, { ownKeys: fail }), '`options` must be a value that can be read'],
    ['a revoked Proxy', revoked.proxy, '`options` must be a plain object, got a value that cannot be read'],
    [
      'what is too deep for the schema',
      { tree: deep },
      '`tree` must be a value that can be read, got [[[[[[[[[…]]]]]]]]]',
    ],
    [
      'a getter in the depth',
      { tree: [Object.defineProperty([], '0', { get: fail })] },
      '`tree` must be a value that can be read',
    ],
  ])('is refused: %s', (_, input, message) => {
    expect(() => checkOptions('Mine', withTree, input)).toThrow(InvalidValueError);
    expect(() => checkOptions('Mine', withTree, input)).toThrow(message);
  });

  it('says what was thrown', () => {
    const input = Object.defineProperty({}, 'share', { get: fail, enumerable: true });
    expect(() => checkOptions('Mine', schema, input)).toThrow(
      expect.objectContaining({ cause: new TypeError('not to be looked at') }),
    );
  });

  it('is no field that is read twice', () => {
    let reads = 0;
    const input = {
      get share() {
        return reads++ === 0 ? 0.5 : 7;
      },
    };
    expect(checkOptions('Mine', schema, input).share).toBe(0.5);
    expect(reads).toBe(1);
  });
});

describe('an unknown field (I3)', () => {
  const names = z.strictObject({
    top_p: z.optional(share()),
    top_k: z.optional(share()),
    whenFull: z.optional(share()),
    nested: z.strictObject({ draft_tokens: z.optional(share()) }).optional(),
  });

  it.each([
    ['topP', 'top_p'],
    ['TOP-P', 'top_p'],
    ['top_', 'top_p'],
    ['tpo_k', 'top_k'],
    ['whenfull', 'whenFull'],
    ['whenFul', 'whenFull'],
  ])('named %s gets the answer: did you mean %s?', (name, meant) => {
    expect(() => checkOptions('Mine', names, { [name]: 1 })).toRefuse(
      `Mine: \`${name}\` must be absent (did you mean \`${meant}\`? the parameters are: top_p, top_k, whenFull, nested), got 1`,
    );
  });

  it.each(['x', 'temperature', 'x'.repeat(1e5)])('that is near to none is answered with the list', (name) => {
    expect(() => checkOptions('Mine', names, { [name]: 1 })).toThrow('must be absent (the parameters are: top_p, ');
  });

  it('within another one has the list of its place', () => {
    expect(() => checkOptions('Mine', names, { nested: { draftTokens: 2 } })).toRefuse(
      'Mine: `nested.draftTokens` must be absent (did you mean `draft_tokens`? the parameters are: draft_tokens), got 2',
    );
  });

  it('is named before one that is wrong or missing', () => {
    expect(() => checkOptions('Mine', schema, { shaer: 0.5 })).toThrow('`shaer` must be absent (did you mean `share`?');
  });

  it('is refused by a schema that says nothing of it, and kept by one that is loose', () => {
    expect(() => checkOptions('Mine', z.object({ a: share() }), { a: 1, b: 2 })).toThrow('`b` must be absent');
    expect(checkOptions('Mine', z.looseObject({ a: share() }), { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
  });
});

describe('schemas (I6)', () => {
  const version = 'a schema of zod 4; this one is of another version: npm install zod@4';

  it('of zod/mini do as well', () => {
    const count = mini.number({ error: 'a number' }).check(mini.refine((x) => x > 1, { error: 'a number > 1' }));
    const small = mini.strictObject({ a: mini._default(count, 2), b: mini.optional(mini.strictObject({ c: count })) });
    expect(checkOptions('Mine', small, {})).toEqual({ a: 2 });
    expect(() => checkOptions('Mine', small, { a: 1 })).toRefuse('Mine: `a` must be a number > 1, got 1');
    expect(() => checkOptions('Mine', small, { b: { d: 1 } })).toThrow('`b.d` must be absent (the parameters are: c)');
  });

  it.each<[string, unknown, string]>([
    ['of zod 3', zod3.object({ a: zod3.number() }), `\`options\` must be ${version}, got a ZodObject`],
    [
      'with a part of zod 3',
      z.strictObject({ a: zod3.number() as never }),
      `\`a\` must be ${version}, got a ZodNumber`,
    ],
    [
      'with one in the depth',
      z.strictObject({ a: z.array(z.tuple([zod3.number() as never])).optional() }),
      `\`a\` must be ${version}`,
    ],
    [
      'of zod 5, some day',
      { _zod: { def: { type: 'object' }, version: { major: 5 } }, shape: {} },
      `\`options\` must be ${version}`,
    ],
    ['that are none', { a: 1 }, '`options` must be a schema of zod 4, got { a: 1 }'],
    ['that are missing', undefined, '`options` must be a schema of zod 4, got undefined'],
    ['of no object', z.number(), '`options` must be a schema of an object (z.strictObject), got a ZodNumber'],
  ])('%s are refused, where a class is decorated and where options are checked', (_, given, message) => {
    const options = given as OptionsSchema;
    expect(() => checkOptions('Mine', options, {})).toThrow(message);
    expect(() => checkOptions('Mine', options, {})).toThrow(InvalidValueError);
    expect(() => processor({ name: 'mine', options, stage: 'policy' })).toThrow(`@processor: ${message}`);
  });

  it('that look at the whole say what it must be', () => {
    const together = z
      .strictObject({ a: share(), b: share() })
      .refine(({ a, b }) => a < b, { error: 'such that a < b' });
    expect(() => checkOptions('Mine', together, { a: 1, b: 0 })).toRefuse(
      'Mine: `options` must be such that a < b, got { a: 1, b: 0 }',
    );
  });
});
