/**
 * The laws for processors and models of one's own.
 */
import * as lockstep from '../../support/every-door.js';
import { tinyModel } from '../../support/tiny-model.js';
import { ABSENT, CALLED, PLAIN, POSITIVE, SAFE_COUNT } from '../domains.js';
import { long, options, param, type Subject, subject } from '../subject.js';

const { modelLaws, processorLaws } = lockstep;
const MODEL = tinyModel();
const step = () => new lockstep.TopK({ k: 1 });
const MANY = long('so many examples', '4294967296');

export const LAWS: readonly Subject[] = [
  subject(
    'processorLaws',
    [
      param('target', CALLED),
      options(
        'options',
        {
          options: [ABSENT, CALLED],
          cases: [ABSENT, MANY],
          seed: [ABSENT, SAFE_COUNT],
          obeys: [ABSENT],
          onLaw: [ABSENT, CALLED],
        },
        ABSENT,
        PLAIN,
      ),
    ],
    () => ({ args: [step, { cases: 4 }], call: (...args: [never, never]) => processorLaws(...args) }),
  ),
  subject(
    'modelLaws',
    [
      param('makeModel', CALLED),
      options(
        'options',
        { length: [ABSENT], seed: [ABSENT, SAFE_COUNT], most: [ABSENT, POSITIVE], onLaw: [ABSENT, CALLED] },
        ABSENT,
        PLAIN,
      ),
    ],
    () => ({ args: [() => MODEL, { length: 4 }], call: (...args: [never, never]) => modelLaws(...args) }),
  ),
];
