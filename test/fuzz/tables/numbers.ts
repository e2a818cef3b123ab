/**
 * Numerics, randomness, and what has no parts: functions of numbers.
 */
import * as lockstep from '../../support/every-door.js';
import { ABSENT, CALLABLE, NUMBER, PLAIN, SAFE_COUNT, SEED, SOME_TEXT, TEXT } from '../domains.js';
import { accepted, options, param, type Subject, subject } from '../subject.js';

const { childSeed, exp, fma, log, mix64, NormalSource, nthSeed, passesOf, Pcg32, plainNumerics, stream } = lockstep;

const BIGINT = accepted(
  'any bigint, modulo 2^64',
  '0n',
  '7n',
  '-1n',
  '18446744073709551616n',
  'a bigint of 10,000 digits',
);
const LISTS = accepted(
  'any list; the kind of its items is its own affair',
  ...[
    ...['[]', '[undefined]', '[null]', '[NaN]', '[0.5]', '[-1]', '["x"]', '[{}]', '[[1]]', 'a cyclic array'],
    ...['an array 9,000 deep', 'an array of 6^20 ways', 'an array of another realm', 'a Float32Array of another realm'],
    ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'].map(
      (name) => `${name} of [0]`,
    ),
    ...['Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'].map((name) => `${name} of [0]`),
    ...[
      'a Float32Array of NaN',
      'an empty Float32Array',
      'a detached Float32Array',
      'an array with a getter that throws',
    ],
  ],
);

function generator() {
  const random = new Pcg32(7);
  return { random, watch: () => random.save() };
}

export const NUMBERS: readonly Subject[] = [
  subject('exp', [param('x', NUMBER)], () => ({ args: [1], call: exp })),
  subject('log', [param('x', NUMBER)], () => ({ args: [1], call: log })),
  subject('log2', [param('x', NUMBER)], () => ({ args: [1], call: lockstep.log2 })),
  subject('sqrt', [param('x', NUMBER)], () => ({ args: [1], call: lockstep.sqrt })),
  subject('pow', [param('x', NUMBER), param('y', NUMBER)], () => ({ args: [2, 3], call: lockstep.pow })),
  subject(
    'fma',
    ['a', 'b', 'c'].map((name) => param(name, NUMBER)),
    () => ({ args: [1, 2, 3], call: fma }),
  ),
  subject('mix64', [param('value', BIGINT)], () => ({ args: [1n], call: mix64 })),
  subject('childSeed', [param('seed', SEED), param('purpose')], () => ({ args: [1, 'sample'], call: childSeed })),
  subject('stream', [param('seed', SEED), param('purpose')], () => ({ args: [1, 'sample'], call: stream })),
  subject('requestRng', [param('seed', SEED)], () => ({ args: [1], call: lockstep.requestRng })),
  subject('nthSeed', [param('seed', SEED), param('n', SAFE_COUNT)], () => ({ args: [1, 2], call: nthSeed })),
  subject('new Pcg32', [param('seed', SEED), param('sequence', ABSENT, SEED)], () => ({
    args: [1, 2],
    call: (...args: [number, number]) => new Pcg32(...args),
  })),
  subject('Pcg32.below', [param('n', accepted('an integer in [1, 2^32]', '4294967296'))], () => {
    const { random, watch } = generator();
    return { args: [3], call: (n: number) => random.below(n), watch };
  }),
  subject('Pcg32.shuffle', [param('items', LISTS)], () => {
    const { random, watch } = generator();
    return { args: [[1, 2]], call: (items: number[]) => random.shuffle(items), watch };
  }),
  subject('Pcg32.skip', [param('count', BIGINT, accepted('an integer', '-1', ...SAFE_COUNT.names))], () => {
    const { random, watch } = generator();
    return { args: [3], call: (count: number) => random.skip(count), watch };
  }),
  subject('Pcg32.restore', [options('saved', { state: [], inc: [] })], () => ({
    args: [new Pcg32(1).save()],
    call: Pcg32.restore,
  })),
  subject('new NormalSource', [param('uniforms')], () => ({
    args: [new Pcg32(1)],
    call: (uniforms: never) => new NormalSource(uniforms),
  })),
  subject(
    'plainNumerics',
    [
      param('name', SOME_TEXT),
      param('exp', CALLABLE),
      param('log', CALLABLE),
      options('others', { pow: [ABSENT, CALLABLE], log2: [ABSENT, CALLABLE] }, ABSENT, PLAIN),
    ],
    () => ({ args: ['mine', exp, log, {}], call: plainNumerics }),
  ),
  subject('passesOf', [param('numerics')], () => ({ args: [lockstep.exactNumerics], call: passesOf })),
  subject('processorToken', [param('name', TEXT)], () => ({ args: ['mine'], call: lockstep.processorToken })),
];
