/**
 * The embedded model, files, worker threads, verification and grammars.
 */
import { readFile } from 'node:fs/promises';
import type * as workers from '../../../src/workers/index.js';
import { safetensorsFile } from '../../embedded/safetensors-file.js';
import * as lockstep from '../../every-door.js';
import { TINY, tinyModel, tinyTensors, tinyWeights } from '../../model/tiny-model.js';
import { FIXTURES } from '../../verify/fixture-reader.js';
import {
  ABSENT,
  CALLED,
  COUNT,
  EMPTY_LIST,
  FLAG,
  ID_0,
  NO_IDS,
  PLAIN,
  SAFE_COUNT,
  SOME_IDS,
  SOME_TEXT,
} from '../domains.js';
import { accepted, long, options, type Param, param, type Subject, subject } from '../subject.js';
import { PARAMS } from './chains.js';

/** An engine of grammars, which is not read where no grammars are checked. */
const UNREAD = accepted(
  'bytes or a URL',
  ...SOME_IDS.names,
  ...['BigInt64Array of [0]', 'BigUint64Array of [0]', 'an empty Float32Array', 'a detached Float32Array'],
  ...['a Float32Array of NaN', 'a DataView', 'an ArrayBuffer', 'a URL'],
);
const BYTES = safetensorsFile(tinyTensors());
const MODEL = tinyModel();
const WEIGHTS = tinyWeights();

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

const EVERYTHING = long('all there is', 'undefined');
const NOWHERE = new URL('file:///nowhere');
const readFixture = (path: string) => readFile(new URL(path, FIXTURES));

function session() {
  const open = MODEL.open();
  open.append([1, 2]);
  return { open, watch: () => open.length };
}

const { EmbeddedModel, Safetensors, loadEmbedded, verify } = lockstep;

export const ENGINES: readonly Subject[] = [
  subject('new EmbeddedModel', [{ ...param('config'), alias: /./ }, param('weights')], () => ({
    args: [TINY, WEIGHTS],
    call: (...args: never[]) => new (EmbeddedModel as never as new (...args: never[]) => unknown)(...args),
  })),
  subject('new EmbeddedTokenizer', [{ ...param('json'), alias: /./ }], () => ({
    args: [{}],
    call: (json: never) => new lockstep.EmbeddedTokenizer(json),
  })),
  subject('EmbeddedSession.append', [param('ids'), param('signal', ABSENT)], () => {
    const { open, watch } = session();
    return {
      args: [[1], new AbortController().signal],
      call: (...args: [never, never]) => open.append(...args),
      watch,
    };
  }),
  subject('EmbeddedSession.appendEach', [param('ids'), param('signal', ABSENT)], () => {
    const { open, watch } = session();
    return {
      args: [[1], new AbortController().signal],
      call: (...args: [never, never]) => open.appendEach(...args),
      watch,
    };
  }),
  subject('EmbeddedSession.truncate', [param('length', ID_0)], () => {
    const { open, watch } = session();
    return { args: [1], call: (length: never) => open.truncate(length), watch };
  }),
  subject('new Safetensors', [{ ...param('bytes'), alias: /./ }, param('file', ABSENT, SOME_TEXT)], () => ({
    args: [BYTES, 'weights'],
    call: (...args: never[]) => new (Safetensors as never as new (...args: never[]) => unknown)(...args),
  })),
  subject('Safetensors.shape', [param('name')], () => ({
    args: ['model.norm.weight'],
    call: (name: never) => WEIGHTS.shape(name),
  })),
  subject('Safetensors.floats', [param('name'), { ...param('shape', ABSENT), alias: /weight|shape/ }], () => ({
    args: ['model.norm.weight', [16]],
    call: (...args: [never, never]) => WEIGHTS.floats(...args),
  })),
  subject(
    'Safetensors.integers',
    [
      { ...param('name'), alias: /weight/ },
      { ...param('shape'), alias: /weight|shape/ },
    ],
    () => ({
      args: ['model.norm.weight', [16]],
      call: (...args: [never, never]) => WEIGHTS.integers(...args),
    }),
  ),
  subject(
    'loadEmbedded',
    [
      {
        ...param('files'),
        accepted: [long('the model of the package', 'undefined')],
        alias: /config|weights|tokenizer/,
      },
    ],
    () => ({
      args: [new URL('file:///nowhere/')],
      call: loadEmbedded,
    }),
  ),
  subject(
    'loadEmbedded',
    [
      {
        ...options(
          'files',
          { 'config.json': [], 'tokenizer.json': [], 'weights.safetensors': [] },
          long('the model of the package', 'undefined'),
        ),
        alias: /config|tokenizer|files/,
      },
    ],
    () => ({
      args: [{ 'config.json': NOWHERE, 'tokenizer.json': NOWHERE, 'weights.safetensors': NOWHERE }],
      call: loadEmbedded,
    }),
  ),
  subject(
    'verify',
    [
      {
        ...options(
          'options',
          {
            groups: [EVERYTHING],
            numerics: [EVERYTHING],
            files: [EVERYTHING, CALLED],
            grammarEngine: [ABSENT, UNREAD],
            onGroup: [ABSENT, CALLED],
          },
          long('all checks, which take seconds', 'undefined', ...PLAIN.names),
        ),
        alias: /digests/,
      },
    ],
    () => ({
      args: [{ groups: ['pcg32'], numerics: [lockstep.exactNumerics], files: readFixture }],
      call: verify,
    }),
  ),
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
