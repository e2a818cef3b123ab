/**
 * The embedded model, files and verification.
 */
import { readFile } from 'node:fs/promises';
import * as lockstep from '../../support/every-door.js';
import { safetensorsFile } from '../../support/safetensors-file.js';
import { TINY, tinyModel, tinyTensors, tinyWeights } from '../../support/tiny-model.js';
import { FIXTURES } from '../../verify/fixture-reader.js';
import { ABSENT, CALLED, ID_0, PLAIN, SOME_IDS, SOME_TEXT } from '../domains.js';
import { accepted, long, options, param, type Subject, subject } from '../subject.js';

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
];
