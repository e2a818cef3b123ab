/**
 * All subjects of the fuzz.
 */
import type { Subject } from '../subject.js';
import { CHAINS } from './chains.js';
import { DECODING } from './decoding.js';
import { ENGINES } from './engines.js';
import { GRAMMARS } from './grammars.js';
import { LAWS } from './laws.js';
import { NUMBERS } from './numbers.js';
import { WORKERS } from './pool.js';
import { PROCESSORS } from './processors.js';
import { SPEC } from './spec.js';

export const SUBJECTS: readonly Subject[] = [
  ...NUMBERS,
  ...PROCESSORS,
  ...CHAINS,
  ...SPEC,
  ...DECODING,
  ...ENGINES,
  ...WORKERS,
  ...GRAMMARS,
  ...LAWS,
];
