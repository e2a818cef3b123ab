/**
 * What parameters of the usual domains take of the bad values.
 */
import { accepted, called } from './subject.js';

export const ABSENT = accepted('it may be left out', 'undefined');
export const PLAIN = accepted(
  'options without a field are all defaults',
  '{}',
  '{} without a prototype',
  '{} of another realm',
);
export const FLAG = accepted('true or false', 'true', 'false');
export const TEXT = accepted('any text', '""', '"x"', '"1"', '"\\ud800"', 'a long string');
export const SOME_TEXT = accepted('any text but the empty one', '"x"', '"1"', '"\\ud800"', 'a long string');
export const POSITIVE = accepted('finite and > 0', '0.5', '4294967296', '9007199254740992', '1e+308');
export const NON_NEGATIVE = accepted('finite and >= 0', '-0', ...POSITIVE.names);
export const FINITE = accepted('finite', '-1', ...NON_NEGATIVE.names);
export const NUMBER = accepted('any number', 'NaN', 'Infinity', '-Infinity', ...FINITE.names);
export const COUNT = accepted('an integer >= 0', '-0', '4294967296', '9007199254740992', '1e+308');
export const COUNT_FROM_1 = accepted('an integer >= 1', '4294967296', '9007199254740992', '1e+308');
export const SAFE_COUNT = accepted('an integer in [0, 2^53)', '-0', '4294967296');
export const SHARE = accepted('in [0, 1]', '-0', '0.5');
export const POSITIVE_SHARE = accepted('in (0, 1]', '0.5');
export const ID_0 = accepted('the id 0', '-0');
export const SEED = accepted('a u64', '-0', '4294967296', '0n', '7n');
export const CALLABLE = accepted(
  'a function; what it does when it is called is its own affair',
  'a function',
  'an async function',
  'a class',
  'a Proxy of a function that throws',
);
export const CALLED = called(...CALLABLE.names);
export const EMPTY_LIST = accepted('a list of none', '[]', 'an array of another realm');
const TYPED = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
];
const ID_LISTS = [...TYPED, 'Float32Array', 'Float64Array'].map((name) => `${name} of [0]`);
export const SOME_IDS = accepted('ids in a typed array of numbers', ...ID_LISTS, 'a Float32Array of another realm');
export const NO_IDS = accepted('no ids', ...EMPTY_LIST.names, 'an empty Float32Array', 'a detached Float32Array');
/** Of a vocabulary of one id. */
export const LOGITS = accepted(
  'logits of one id',
  ...['[0.5]', '[-1]', 'Float32Array of [0]', 'Float64Array of [0]', 'a Float32Array of another realm'],
);
