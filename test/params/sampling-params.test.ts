import { describe, expect, it } from 'vitest';
import { domainOf } from '../../processors/domain-of.js';
import { samplingParamsSchema } from '../../src/core.js';
import { InvalidValueError, type SamplingParams } from '../../src/index.js';
import { validate } from '../../src/spec.js';

const DEFAULTS = {
  temperature: 1,
  top_k: 0,
  top_p: 1,
  min_p: 0,
  repetition_penalty: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  max_tokens: 128,
  stop: [],
  logprobs: 0,
};

const NAMES = [
  'temperature',
  'top_k',
  'top_p',
  'min_p',
  'repetition_penalty',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'max_tokens',
  'stop',
  'logprobs',
];

const DOMAINS: Record<string, string> = {
  temperature: 'a finite number >= 0',
  top_k: 'an integer >= 0',
  top_p: 'a number in (0, 1]',
  min_p: 'a number in [0, 1]',
  repetition_penalty: 'a finite number > 0',
  presence_penalty: 'a finite number',
  frequency_penalty: 'a finite number',
  seed: 'an integer in [0, 2^53) or a bigint in [0, 2^64)',
  max_tokens: 'an integer >= 1',
  stop: 'an array of non-empty strings',
  logprobs: 'an integer >= 0',
};

const NO_NUMBER: readonly [unknown, string][] = [
  [Number.NaN, 'NaN'],
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
  ['0.5', '"0.5"'],
  [null, 'null'],
  [true, 'true'],
  [1n, '1n'],
  [[1], '[1]'],
  [{}, '{}'],
];

/** Values that each parameter refuses, beside what is no finite number at all. */
const REFUSED: Record<string, readonly [unknown, string][]> = {
  temperature: [
    [-5e-324, '-5e-324'],
    [-1, '-1'],
  ],
  top_k: [
    [-1, '-1'],
    [0.5, '0.5'],
  ],
  top_p: [
    [0, '0'],
    [-0, '-0'],
    [-0.5, '-0.5'],
    [1 + 2 ** -52, '1.0000000000000002'],
    [95, '95'],
  ],
  min_p: [
    [-5e-324, '-5e-324'],
    [1 + 2 ** -52, '1.0000000000000002'],
  ],
  repetition_penalty: [
    [0, '0'],
    [-0, '-0'],
    [-1.2, '-1.2'],
  ],
  presence_penalty: [],
  frequency_penalty: [],
  max_tokens: [
    [0, '0'],
    [-3, '-3'],
    [1.5, '1.5'],
  ],
  logprobs: [
    [-1, '-1'],
    [0.1, '0.1'],
  ],
};

const ACCEPTED: Record<string, readonly unknown[]> = {
  temperature: [0, 5e-324, 1, 1e308],
  top_k: [0, 1, 2 ** 53, 1e300],
  top_p: [5e-324, 0.5, 1],
  min_p: [0, 5e-324, 1],
  repetition_penalty: [5e-324, 0.5, 1, 1e308],
  presence_penalty: [-2, -1e308, 0, 2, 1e308],
  frequency_penalty: [-2, -1e308, 0, 2, 1e308],
  seed: [0, 2 ** 53 - 1, 0n, 2n ** 64n - 1n],
  max_tokens: [1, 2 ** 53],
  stop: [[], ['a'], [' ', '\n\n', 'é']],
  logprobs: [0, 20],
};

/** The values of a table with their names, for one case each. */
function rows<T>(table: Record<string, readonly T[]>): { name: string; value: T }[] {
  return Object.entries(table).flatMap(([name, values]) => values.map((value) => ({ name, value })));
}

// biome-ignore lint/suspicious/noExplicitAny: wrong input on purpose
function check(params: any): SamplingParams {
  return validate(params);
}

describe('validate', () => {
  it('fills in every default', () => {
    expect(validate()).toEqual(DEFAULTS);
    expect(validate({})).toEqual(DEFAULTS);
    expect(validate({ top_p: 0.5 })).toEqual({ ...DEFAULTS, top_p: 0.5 });
  });

  it('takes undefined for left out', () => {
    expect(validate({ temperature: undefined, seed: undefined, stop: undefined })).toEqual(DEFAULTS);
  });

  it('has no seed of its own', () => {
    expect(validate().seed).toBeUndefined();
  });

  it('gives a fresh `stop` each time, and one that the caller does not hold', () => {
    expect(validate().stop).not.toBe(validate().stop);
    const stop = ['x'];
    const checked = validate({ stop });
    stop.push('y');
    expect(checked.stop).toEqual(['x']);
  });

  it('gives frozen parameters', () => {
    const checked = validate({ stop: ['x'] }) as unknown as { top_p: number; stop: string[] };
    expect(Object.isFrozen(checked)).toBe(true);
    expect(Object.isFrozen(checked.stop)).toBe(true);
    expect(Object.isFrozen(validate().stop)).toBe(true);
    expect(() => {
      checked.top_p = 2;
    }).toThrow(TypeError);
    expect(() => checked.stop.push('y')).toThrow(TypeError);
  });

  it('does not change or freeze what it was given', () => {
    const given = { top_k: 4, stop: ['x'] };
    validate(given);
    expect(given).toEqual({ top_k: 4, stop: ['x'] });
    expect(Object.isFrozen(given)).toBe(false);
    expect(Object.isFrozen(given.stop)).toBe(false);
  });

  it('gives checked parameters back as they are', () => {
    const checked = validate({ top_k: 4 });
    expect(validate(checked)).toBe(checked);
  });

  it('checks a copy of checked parameters again', () => {
    expect(() => check({ ...validate(), top_p: 7 })).toRefuse(
      'SamplingParams: `top_p` must be a number in (0, 1], got 7',
    );
  });

  it('knows the parameters by their wire names, in this order', () => {
    expect(Object.keys(samplingParamsSchema.shape)).toEqual(NAMES);
  });

  it('carries each domain in words', () => {
    const described = Object.entries(samplingParamsSchema.shape).map(([name, field]) => [name, domainOf(field)]);
    expect(Object.fromEntries(described)).toEqual(DOMAINS);
  });
});

describe('a wrong value', () => {
  const numbers = Object.keys(REFUSED);

  it.each(rows(Object.fromEntries(numbers.map((name) => [name, [...NO_NUMBER, ...(REFUSED[name] ?? [])]]))))(
    '$name is refused: $value.1',
    ({ name, value: [value, shown] }) => {
      expect(() => check({ [name]: value })).toRefuse(
        `SamplingParams: \`${name}\` must be ${DOMAINS[name]}, got ${shown}`,
      );
    },
  );

  it.each<[unknown, string]>([
    [-1, '-1'],
    [0.5, '0.5'],
    [2 ** 53, '9007199254740992'],
    [-1n, '-1n'],
    [2n ** 64n, '18446744073709551616n'],
    [Number.NaN, 'NaN'],
    [Infinity, 'Infinity'],
    ['7', '"7"'],
    [null, 'null'],
    [false, 'false'],
  ])('seed is refused: %s', (value, shown) => {
    expect(() => check({ seed: value })).toRefuse(`SamplingParams: \`seed\` must be ${DOMAINS.seed}, got ${shown}`);
  });

  it.each([
    { stop: 'x', message: '`stop` must be an array of non-empty strings, got "x"' },
    { stop: null, message: '`stop` must be an array of non-empty strings, got null' },
    { stop: { 0: 'x' }, message: '`stop` must be an array of non-empty strings, got { 0: "x" }' },
    { stop: [''], message: '`stop[0]` must be a non-empty string, got ""' },
    { stop: ['a', ''], message: '`stop[1]` must be a non-empty string, got ""' },
    { stop: ['a', 3], message: '`stop[1]` must be a non-empty string, got 3' },
    { stop: [null], message: '`stop[0]` must be a non-empty string, got null' },
  ])('stop is refused: $message', ({ stop, message }) => {
    expect(() => check({ stop })).toRefuse(`SamplingParams: ${message}`);
  });

  it.each(rows(ACCEPTED))('$name = $value, on the border, is none', ({ name, value }) => {
    expect(check({ [name]: value })[name as keyof SamplingParams]).toEqual(value);
  });

  it('is named with its owner, its domain and itself', () => {
    try {
      check({ top_p: 7 });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidValueError);
      expect(error).toBeInstanceOf(RangeError);
      const { name, owner, parameter, domain, value } = error as InvalidValueError;
      expect({ name, owner, parameter, domain, value }).toEqual({
        name: 'InvalidValueError',
        owner: 'SamplingParams',
        parameter: 'top_p',
        domain: 'a number in (0, 1]',
        value: 7,
      });
    }
  });
});

describe('an unknown name', () => {
  it.each([
    ['topP', 'did you mean `top_p`? '],
    ['top-p', 'did you mean `top_p`? '],
    ['Temperature', 'did you mean `temperature`? '],
    ['n', ''],
    ['typical_p', ''],
    ['toString', ''],
    ['constructor', ''],
  ])('%s is refused', (name, meant) => {
    expect(() => check({ top_p: 0.5, [name]: 0.5 })).toRefuse(
      `SamplingParams: \`${name}\` must be absent (${meant}the parameters are: ${NAMES.join(', ')}), got 0.5`,
    );
  });

  it('is refused although its value is undefined', () => {
    expect(() => check({ topK: undefined })).toThrow('`topK` must be absent');
  });

  it('is refused although it is spelled __proto__, as JSON can', () => {
    expect(() => check(JSON.parse('{"__proto__": 0.5}'))).toThrow('`__proto__` must be absent');
  });
});

describe('what is no object', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [3, '3'],
    ['x', '"x"'],
    [[], '[]'],
    [true, 'true'],
    [() => 1, 'a function (unnamed)'],
  ])('%s is refused', (value, shown) => {
    expect(() => check(value)).toRefuse(`SamplingParams: \`options\` must be a plain object, got ${shown}`);
  });
});
