/**
 * The pool of worker threads, as it is built: left out where no built package is, as under Stryker.
 */
import type * as workers from '../../../src/workers/index.js';
import * as lockstep from '../../support/every-door.js';
import { ABSENT, COUNT, EMPTY_LIST, FLAG, ID_0, NO_IDS, PLAIN, SAFE_COUNT, SOME_IDS } from '../domains.js';
import { accepted, options, type Param, param, type Subject, subject } from '../subject.js';
import { PARAMS } from './chains.js';

/** What `npm test` builds first: the threads run its modules. */
const { SamplerPool } = (await import(
  new URL('../../../dist/src/workers/index.js', import.meta.url).href
)) as typeof workers;
const POOL = await SamplerPool.open({ vocabSize: 1, rows: 1, threads: 1 });
const SAVED = lockstep.saveSampler(lockstep.createSampler({ seed: 1 }));

function onPool(
  name: 'logits' | 'start' | 'restore' | 'sample' | 'accept' | 'save' | 'end',
  args: readonly unknown[],
  ...params: readonly Param[]
): Subject {
  return subject(`SamplerPool.${name}`, params, () => ({
    args,
    call: async (...given: never[]) => {
      if (name !== 'start' && name !== 'restore') await POOL.start(0, { seed: 1 });
      if (name !== 'start' && name !== 'restore') POOL.logits(0)[0] = 0;
      return (POOL[name] as (...given: never[]) => unknown)(...given);
    },
  }));
}

export const WORKERS: readonly Subject[] = [
  subject(
    'SamplerPool.open',
    [
      {
        ...options('options', {
          vocabSize: [],
          rows: [],
          threads: [ABSENT, accepted('no more than rows are used', '4294967296')],
          module: [ABSENT],
        }),
        alias: /vocabSize/,
      },
    ],
    () => ({
      args: [{ vocabSize: 1, rows: 1, threads: 1 }],
      call: (given: never) => SamplerPool.open(given),
      end: (opened) => (opened as workers.SamplerPool).close(),
    }),
  ),
  onPool('logits', [0], param('row', ID_0)),
  onPool('start', [0, {}, {}], param('row', ID_0), PARAMS, {
    ...options(
      'options',
      { prompt: [ABSENT, SOME_IDS, NO_IDS], history: [ABSENT, SOME_IDS, NO_IDS], chain: [ABSENT, EMPTY_LIST] },
      ABSENT,
      PLAIN,
    ),
    alias: /chain|use|options/,
  }),
  onPool('restore', [0, SAVED], param('row', ID_0), {
    ...options('state', {
      version: [],
      chain: [],
      fingerprint: [],
      numerics: [],
      seed: [accepted('digits', '"1"')],
      draws: [SAFE_COUNT],
      prompt: [EMPTY_LIST],
      output: [EMPTY_LIST],
      states: [],
    }),
    alias: /./,
  }),
  onPool(
    'sample',
    [[0], {}],
    { ...param('rows', ABSENT, EMPTY_LIST), alias: /row/ },
    options('reading', { entropy: [ABSENT, FLAG], topLogprobs: [ABSENT, COUNT] }, ABSENT, PLAIN),
  ),
  onPool('accept', [0, 0], param('row', ID_0), param('id', SAFE_COUNT)),
  onPool('save', [0], param('row', ID_0)),
  onPool('end', [0], param('row', ID_0)),
];
