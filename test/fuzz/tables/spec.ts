/**
 * The eight functions of the spec.
 */
import * as lockstep from '../../support/every-door.js';
import { ABSENT, LOGITS, NO_IDS, SOME_IDS } from '../domains.js';
import { param, type Subject, subject } from '../subject.js';
import { PARAMS } from './chains.js';

const IDS = [SOME_IDS, NO_IDS];
const { applyPenalties, processLogits, sampledEntropy, samplingDistribution, tokenLogprobs } = lockstep;
const FUNCTIONS = [applyPenalties, tokenLogprobs, processLogits, samplingDistribution, sampledEntropy];

export const SPEC: readonly Subject[] = [
  ...FUNCTIONS.map((call) =>
    subject(
      call.name,
      [param('logits', LOGITS), PARAMS, param('history', ABSENT, ...IDS), param('prompt', ABSENT, ...IDS)],
      () => ({
        args: [[0.5], {}, [], []],
        call,
      }),
    ),
  ),
  subject(
    'sample',
    [param('logits', LOGITS), PARAMS, param('history', ABSENT, ...IDS), param('rng'), param('prompt', ABSENT, ...IDS)],
    () => {
      const random = new lockstep.Pcg32(1);
      return { args: [[0.5], {}, [], random, []], call: lockstep.sample, watch: () => random.save() };
    },
  ),
];
