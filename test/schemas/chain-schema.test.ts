import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { PROCESSORS } from '../../processors/list.js';
import { processorInfo } from '../../processors/processor.js';
import * as z from '../../processors/zod.js';
import { chainFromData } from '../../src/chain/chain-from-data.js';
import { makeProcessor } from '../../src/chain/registry.js';
import { createChain } from '../../src/index.js';
import { PROFILES, profileChain } from '../../src/profiles/index.js';
import { chainJsonSchema, processorJsonSchema } from '../../src/schemas/index.js';

/** What JSON holds, on both sides of every bound that an option has. */
const VALUES: readonly unknown[] = [
  ...[-2, -1, -0.5, 0, 1e-9, 0.5, 0.500001, 0.99, 0.991, 1, 1.5, 2, 3, 1024, 1024.5, 2 ** 53 - 1, 2 ** 53, 1e300],
  ...['', 'a', null, true, false, {}, { 5: 1 }, { '05': 1 }, { a: 1 }, { '': 1 }, { 5: 'a' }, { 5: null }],
  ...[[], [0], [1, 2], [-1], [1.5], ['a'], [''], [null], [[1]], [[]], [['a']], ['a', [1], 3], [2 ** 53 - 1], [2 ** 53]],
  ...[
    [{ ids: [1], bias: 1 }],
    [{ ids: [], bias: 1 }],
    [{ ids: [1] }],
    [{ ids: [1], bias: 'a' }],
    [{ ids: [1], bias: 1, a: 1 }],
  ],
];

const CLASSES = PROCESSORS.map((target) => [processorInfo(target).name, target] as const);

/** Each field with a value that it takes. */
function goodOptions(shape: Readonly<Record<string, z.core.$ZodType>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, VALUES.find((value) => z.safeParse(schema, value).success)]),
  );
}

describe('the JSON schema of', () => {
  it.each(CLASSES)('%s accepts what its options accept, and nothing else', (name, target) => {
    const validate = new Ajv2020({ strict: true }).compile(processorJsonSchema(target));
    const { options } = processorInfo(target);
    const good = goodOptions(options.shape);
    expect([name, validate({ use: name, ...good })]).toEqual([name, true]);
    const wrong = Object.keys(options.shape).flatMap((field) =>
      VALUES.filter((value) => {
        const changed = { ...good, [field]: value };
        return validate({ use: name, ...changed }) !== z.safeParse(options, changed).success;
      }).map((value) => `${field}: ${JSON.stringify(value)}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(CLASSES)('%s asks for its name, for what it needs, and for no more', (name, target) => {
    const validate = new Ajv2020({ strict: true }).compile(processorJsonSchema(target));
    const { options } = processorInfo(target);
    const good = goodOptions(options.shape);
    expect(validate({ use: 'another', ...good })).toBe(false);
    expect(validate({ use: name, ...good, unheard_of: 1 })).toBe(false);
    for (const field of Object.keys(options.shape)) {
      const { [field]: _, ...others } = good;
      expect([field, validate({ use: name, ...others })]).toEqual([field, z.safeParse(options, others).success]);
    }
  });

  it.each(CLASSES)('%s says each domain in the words of its refusals, with its type', (_, target) => {
    const { properties } = processorJsonSchema(target) as { properties: Record<string, Record<string, unknown>> };
    const { use: _use, ...options } = properties;
    expect(Object.entries(options).filter(([, { type, description }]) => !type || !description)).toEqual([]);
  });

  it('a chain accepts chains as data, those of every profile among them, and one mark of logprobs', () => {
    const validate = new Ajv2020({ strict: true, allErrors: false }).compile(chainJsonSchema());
    for (const { name } of PROFILES) expect([name, validate(profileChain(name))]).toEqual([name, true]);
    const mark = { use: 'logprobs' };
    expect(validate([{ use: 'top-k', k: 3 }, mark])).toBe(true);
    expect(validate([mark, mark])).toBe(false);
    expect(validate([{ use: 'top-k', k: -3 }])).toBe(false);
    expect(validate([{ use: 'nobody' }])).toBe(false);
    expect(validate({ use: 'top-k', k: 3 })).toBe(false);
    expect(validate(Array.from({ length: 1025 }, () => ({ use: 'p-less' })))).toBe(false);
  });

  it('a chain of one class knows that class alone', () => {
    const target = PROCESSORS.filter((one) => processorInfo(one).name === 'top-k');
    const validate = new Ajv2020({ strict: true }).compile(chainJsonSchema(target));
    expect(validate([{ use: 'top-k', k: 3 }])).toBe(true);
    expect(validate([{ use: 'top-p', p: 0.5 }])).toBe(false);
  });
});

/** JSON that a stranger may send in place of a chain. */
const HOSTILE: readonly [what: string, json: string, names: string][] = [
  ['a prototype', '[{"use":"top-k","k":3,"__proto__":{"k":1}}]', '__proto__'],
  ['a prototype in place of the option', '[{"use":"top-k","__proto__":{"k":3}}]', '__proto__'],
  ['a prototype in place of the name', '[{"__proto__":{"use":"top-k"},"k":3}]', 'chain[0]'],
  ['a constructor', '[{"use":"top-k","k":3,"constructor":{"prototype":{"k":1}}}]', 'constructor'],
  ['the name of what every object has', '[{"use":"constructor"}]', 'use'],
  ['the name of its prototype', '[{"use":"__proto__"}]', 'use'],
  ['a prototype in a bias', '[{"use":"logit-bias","bias":{"__proto__":5}}]', 'bias.__proto__'],
  ['a length of its own', '{"length":3,"0":{"use":"p-less"}}', 'chain'],
  ['a name that is a list', '[{"use":["top-k"],"k":3}]', 'chain[0]'],
  ['too many steps', `[${'{"use":"p-less"},'.repeat(100_000)}{"use":"p-less"}]`, 'chain'],
  ['a name without end', `[{"use":"${'a'.repeat(1e6)}"}]`, 'use'],
  ['an option without end', `[{"use":"top-k","${'k'.repeat(1e6)}":3}]`, 'kkk'],
  ['lists in lists without end', `[{"use":"top-k","k":${'['.repeat(5000)}${']'.repeat(5000)}}]`, 'k'],
  ['a number above all numbers', '[{"use":"temperature","temperature":1e999}]', 'temperature'],
  ['a chain in a chain', '[[{"use":"p-less"}]]', 'chain[0]'],
];

describe('a chain as data', () => {
  it.each(HOSTILE)('with %s is refused in few words', (_, json, name) => {
    const data = JSON.parse(json);
    for (const make of [() => createChain(data), () => chainFromData(data, makeProcessor)]) {
      expect(make).toThrow(expect.objectContaining({ name: 'InvalidValueError' }));
      try {
        make();
      } catch (error) {
        expect((error as { parameter: string }).parameter).toContain(name);
        expect((error as Error).message.length).toBeLessThan(3000);
      }
    }
    expect(({} as Record<string, unknown>).k).toBeUndefined();
  });

  it('has the same canonical form and fingerprint in every version of this format', () => {
    const chain = createChain([
      { k: 40, use: 'top-k' },
      { use: 'min-p', m: 0.05 },
    ]);
    expect(chain.fingerprint()).toBe(
      createChain([
        { use: 'top-k', k: 40 },
        { m: 0.05, use: 'min-p' },
      ]).fingerprint(),
    );
    expect(chain.fingerprint()).toBe('c559431c1f03f4d2bcae99295241e4044c0b54ac13a96547f73a351023174785');
  });
});
