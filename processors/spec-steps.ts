/**
 * The spec's steps, in the mandated order.
 * Source: docs/SPEC.md, steps 2 to 8.
 */

import { MinP } from './filters/min-p.js';
import { TopK } from './filters/top-k.js';
import { TopP } from './filters/top-p.js';
import { PresenceFrequency } from './penalties/presence-frequency.js';
import { RepetitionPenalty } from './penalties/repetition-penalty.js';
import type { ProcessorClass } from './processor.js';
import { Temperature } from './shaping/temperature.js';

export const SPEC_STEPS: readonly ProcessorClass[] = Object.freeze([
  RepetitionPenalty,
  PresenceFrequency,
  Temperature,
  TopK,
  TopP,
  MinP,
]);
