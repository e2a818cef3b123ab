/**
 * Chains, samplers, histories, candidates and the container.
 */
import * as lockstep from '../../support/every-door.js';
import {
  ABSENT,
  CALLED,
  COUNT,
  COUNT_FROM_1,
  EMPTY_LIST,
  FINITE,
  FLAG,
  ID_0,
  LOGITS,
  NO_IDS,
  NON_NEGATIVE,
  PLAIN,
  POSITIVE,
  POSITIVE_SHARE,
  SAFE_COUNT,
  SEED,
  SHARE,
  SOME_IDS,
  SOME_TEXT,
} from '../domains.js';
import { accepted, options, type Param, param, type Subject, subject } from '../subject.js';

const {
  CandidateSet,
  createContainer,
  createSampler,
  exactNumerics,
  ProcessorChain,
  Sampler,
  SpecChain,
  TokenHistory,
} = lockstep;

const IDS = [SOME_IDS, NO_IDS];
const STOP = accepted('stop strings', ...EMPTY_LIST.names, '["x"]');

/** The fields of the sampling parameters. */
export const SAMPLING: NonNullable<Param['fields']> = {
  temperature: [ABSENT, NON_NEGATIVE],
  top_k: [ABSENT, COUNT],
  top_p: [ABSENT, POSITIVE_SHARE],
  min_p: [ABSENT, SHARE],
  repetition_penalty: [ABSENT, POSITIVE],
  presence_penalty: [ABSENT, FINITE],
  frequency_penalty: [ABSENT, FINITE],
  seed: [ABSENT, SEED],
  max_tokens: [ABSENT, accepted('an integer >= 1', '4294967296', '9007199254740992', '1e+308')],
  stop: [ABSENT, STOP],
  logprobs: [ABSENT, COUNT],
};
export const PARAMS = options('params', SAMPLING, ABSENT, PLAIN);

export const CHOICE: NonNullable<Param['fields']> = {
  chain: [ABSENT, accepted('a chain of no steps', ...EMPTY_LIST.names)],
  before: [ABSENT, EMPTY_LIST],
  container: [ABSENT],
  grammars: [ABSENT],
};
/** What a chain as data is made from. */
const MAKE: NonNullable<Param['fields']> = { container: [ABSENT], tokenizer: [ABSENT], grammars: [ABSENT] };
export const CHAIN_ALIAS = /chain|use|steps/;

function sampler() {
  const made = createSampler({ seed: 1 }, { prompt: [0] });
  made.sample([0.5]);
  const watch = () => [made.draws, made.history.output, made.history.prompt, lockstep.saveSampler(made)];
  return { made, watch };
}

function method(name: string, args: readonly unknown[], ...params: readonly Param[]): Subject {
  return subject(`Sampler.${name}`, params, () => {
    const { made, watch } = sampler();
    const call = (...given: never[]) =>
      (made as never as Record<string, (...args: never[]) => unknown>)[name]?.(...given);
    return { args, call: call as never, watch };
  });
}

function candidates(wide: boolean) {
  const set = new CandidateSet();
  const logits = [0, 1, 2, 3];
  set.load(wide ? Float32Array.from(logits) : logits);
  const watch = () => [set.size, [0, 1, 2, 3].map((id) => set.logit(id)), set.settled ?? null];
  return { set, watch };
}

/** On a set of each make: the whole vocabulary, and a list. */
function onSet(name: string, args: readonly unknown[], ...params: readonly Param[]): Subject[] {
  return [true, false].map((wide) =>
    subject(`CandidateSet.${name}`, params, () => {
      const { set, watch } = candidates(wide);
      const call = (...given: never[]) =>
        (set as never as Record<string, (...args: never[]) => unknown>)[name]?.(...given);
      return { args, call: call as never, watch };
    }),
  );
}

function onHistory(name: string, args: readonly unknown[], ...params: readonly Param[]): Subject {
  return subject(`TokenHistory.${name}`, params, () => {
    const history = new TokenHistory([0], [1, 2]);
    const call = (...given: never[]) =>
      (history as never as Record<string, (...args: never[]) => unknown>)[name]?.(...given);
    return { args, call: call as never, watch: () => [history.output, history.seen, history.generated] };
  });
}

function onChain(name: string, args: () => readonly unknown[], ...params: readonly Param[]): Subject {
  return subject(`ProcessorChain.${name}`, params, () => {
    const told: number[] = [];
    const step = {
      name: 'told',
      process: () => {},
      accept: (id: number) => void told.push(id),
      save: () => [...told],
      restore: (state: unknown) => {
        if (!Array.isArray(state)) throw new lockstep.InvalidValueError('told', 'state', 'ids', state);
        told.splice(0, told.length, ...(state as number[]));
      },
    };
    const chain = new ProcessorChain([step]);
    const call = (...given: never[]) =>
      (chain as never as Record<string, (...args: never[]) => unknown>)[name]?.(...given);
    return { args: args(), call: call as never, watch: () => told };
  });
}

const STATES = accepted(
  'the state of the one step, which looks at it itself',
  '[[1]]',
  'a cyclic array',
  'an array 9,000 deep',
);
const context = { history: new TokenHistory(), uniform: () => 0.5 };
const CANDIDATES = param('candidates');
const OBJECTS = accepted(
  "an object; what a step asks of it is the step's affair",
  ...[
    ...[
      '[]',
      '[undefined]',
      '[null]',
      '[NaN]',
      '[0.5]',
      '[-1]',
      '["x"]',
      '[{}]',
      '[[1]]',
      'a cyclic array',
      'an array 9,000 deep',
      'an array of 6^20 ways',
    ],
    ...[
      'an array of holes',
      'an array with a getter that throws',
      'an array of another realm',
      'a Float32Array of another realm',
      'a WeakMap',
    ],
    ...[
      '{}',
      '{} without a prototype',
      '{} of another realm',
      '{ unknown: 1 }',
      '{ length: 1 }',
      'a cyclic object',
      'an object 9,000 deep',
    ],
    ...[
      'an object with a getter that throws',
      'an instance of a class',
      'an empty Map',
      'a Map',
      'a Set',
      'a Date',
      'an invalid Date',
      'a RegExp',
    ],
    ...[
      'an Error',
      'a URL',
      'a promise',
      'a thenable',
      'a generator',
      'a boxed number',
      'a boxed string',
      'Math',
      'a DataView',
      'an ArrayBuffer',
    ],
    ...[
      'a SharedArrayBuffer',
      'a Float32Array of NaN',
      'an empty Float32Array',
      'a detached Float32Array',
      'a Proxy that throws',
    ],
    ...['a Proxy of an array that throws', 'a revoked Proxy', 'a revoked Proxy of an array'],
    ...[
      'Int8Array',
      'Uint8Array',
      'Uint8ClampedArray',
      'Int16Array',
      'Uint16Array',
      'Int32Array',
      'Uint32Array',
      'Float32Array',
      'Float64Array',
      'BigInt64Array',
      'BigUint64Array',
    ].map((name) => `${name} of [0]`),
  ],
);
const HOOKS = accepted('an observer without hooks', ...OBJECTS.names.filter((name) => !/Proxy/.test(name)));
const saved = () => lockstep.saveSampler(sampler().made);

export const CHAINS: readonly Subject[] = [
  subject('validate', [PARAMS], () => ({ args: [{}], call: lockstep.validate })),
  subject(
    'createSampler',
    [
      PARAMS,
      {
        ...options(
          'options',
          { ...CHOICE, ...MAKE, prompt: [ABSENT, ...IDS], history: [ABSENT, ...IDS] },
          ABSENT,
          PLAIN,
        ),
        alias: CHAIN_ALIAS,
      },
    ],
    () => ({
      args: [{}, {}],
      call: createSampler,
    }),
  ),
  subject(
    'createChain',
    [{ ...param('data', EMPTY_LIST), alias: CHAIN_ALIAS }, options('options', MAKE, ABSENT, PLAIN)],
    () => ({
      args: [[{ use: 'top-k', k: 1 }], { container: createContainer() }],
      call: lockstep.createChain,
    }),
  ),
  subject(
    'profileChain',
    [param('profile'), options('params', { temperature: [ABSENT, FINITE] }, ABSENT, PLAIN)],
    () => ({
      args: ['ollama', {}],
      call: lockstep.profileChain,
    }),
  ),
  subject('processorJsonSchema', [param('class')], () => ({
    args: [lockstep.TopK],
    call: lockstep.processorJsonSchema,
  })),
  subject('chainJsonSchema', [param('targets', ABSENT, EMPTY_LIST)], () => ({
    args: [[]],
    call: lockstep.chainJsonSchema,
  })),
  subject('createContainer', [param('modules')], () => ({
    args: [lockstep.processorModule(lockstep.TopK)],
    call: createContainer,
  })),
  subject('processorModule', [param('class')], () => ({ args: [lockstep.TopK], call: lockstep.processorModule })),
  subject(
    'restoreSampler',
    [
      {
        ...options('saved', {
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
        alias: /fingerprint/,
      },
      options('options', { ...MAKE, steps: [ABSENT, EMPTY_LIST] }, ABSENT, PLAIN),
    ],
    () => ({ args: [saved(), {}], call: lockstep.restoreSampler }),
  ),
  subject('saveSampler', [param('sampler')], () => ({ args: [sampler().made], call: lockstep.saveSampler })),
  subject(
    'new ProcessorChain',
    [param('steps', EMPTY_LIST), options('options', { tap: [ABSENT, ID_0] }, ABSENT, PLAIN)],
    () => ({
      args: [[], {}],
      call: (...args: never[]) => new (ProcessorChain as never as new (...args: never[]) => unknown)(...args),
    }),
  ),
  subject(
    'new SpecChain',
    [
      PARAMS,
      options('options', { before: [ABSENT, EMPTY_LIST], order: [ABSENT], make: [ABSENT, CALLED] }, ABSENT, PLAIN),
    ],
    () => ({
      args: [{}, {}],
      call: (...args: never[]) => new (SpecChain as never as new (...args: never[]) => unknown)(...args),
    }),
  ),
  onChain('process', () => [candidates(true).set, context], CANDIDATES, param('context', OBJECTS)),
  onChain(
    'process',
    () => [candidates(true).set, context, () => {}],
    CANDIDATES,
    param('context', OBJECTS),
    param('observer', ABSENT, CALLED),
  ),
  onChain('score', () => [candidates(true).set, context], CANDIDATES, param('context', OBJECTS)),
  onChain('only', () => [3], param('vocabSize', SAFE_COUNT)),
  onChain('budget', () => [3], param('tokens', SAFE_COUNT)),
  onChain('accept', () => [1], param('id', SAFE_COUNT)),
  onChain('restore', () => [[[1]]], { ...param('states', STATES), alias: /./ }),
  onChain(
    'rewind',
    () => [[[1]], [2]],
    { ...param('states', STATES, accepted('a step without a state stays where it is', '[undefined]')), alias: /./ },
    param('ids', ...IDS),
  ),
  subject(
    'new Sampler',
    [
      options('parts', {
        chain: [],
        seed: [SEED],
        uniforms: [],
        draws: [ABSENT, SAFE_COUNT],
        prompt: [ABSENT, ...IDS],
        history: [ABSENT, ...IDS],
        states: [ABSENT, EMPTY_LIST],
        numerics: [ABSENT],
      }),
    ],
    () => ({
      args: [{ chain: new ProcessorChain([]), seed: 1, uniforms: new lockstep.Pcg32(1) }],
      call: (parts: never) => new Sampler(parts),
    }),
  ),
  method('sample', [[0.5], {}], param('logits', LOGITS), param('observer', ABSENT, HOOKS)),
  method('sampleId', [[0.5], {}], param('logits', LOGITS), param('observer', ABSENT, HOOKS)),
  method('distribution', [[0.5]], param('logits', LOGITS)),
  method('sampleOnly', [0, 1], { ...param('id', ID_0), alias: /id/ }, { ...param('vocabSize'), alias: /./ }),
  method('logprob', [0], param('id', ID_0)),
  method('accept', [0], param('id', ID_0)),
  method('topLogprobs', [1], param('count', COUNT)),
  subject(
    'sampleBatch',
    [
      {
        ...param(
          'rows',
          accepted(
            'one row; it is looked at alone, and its error is in its place',
            ...[
              '[undefined]',
              '[null]',
              '[NaN]',
              '[0.5]',
              '[-1]',
              '["x"]',
              '[{}]',
              '[[1]]',
              'a cyclic array',
              'an array 9,000 deep',
              'Float32Array of [0]',
              'a Float32Array of another realm',
              'a Float32Array of NaN',
            ],
          ),
        ),
        alias: /rows|logits/,
      },
      {
        ...param(
          'samplers',
          accepted(
            'one sampler; what is none has its error in the place of its token',
            '[undefined]',
            '[null]',
            '[NaN]',
            '[0.5]',
            '[-1]',
            '["x"]',
            '[{}]',
            '[[1]]',
            'a cyclic array',
            'an array 9,000 deep',
          ),
        ),
        alias: /rows/,
      },
      options(
        'reading',
        { entropy: [ABSENT, accepted('true or false', 'true', 'false')], topLogprobs: [ABSENT, COUNT] },
        ABSENT,
        PLAIN,
      ),
    ],
    () => {
      const { made, watch } = sampler();
      return { args: [[[0.5]], [made], {}], call: lockstep.sampleBatch, watch };
    },
  ),
  subject('traceSample', [param('sampler'), param('logits', LOGITS)], () => {
    const { made, watch } = sampler();
    return { args: [made, [0.5]], call: lockstep.traceSample, watch };
  }),
  subject('inverseCdf', [CANDIDATES, { ...param('u', ID_0, accepted('in [0, 1)', '0.5')), alias: /u/ }], () => ({
    args: [candidates(true).set, 0.5],
    call: lockstep.inverseCdf,
  })),
  subject(
    'new TokenHistory',
    [
      param('prompt', ABSENT, ...IDS),
      { ...param('output', ABSENT, ...IDS), alias: /history/ },
      param('owner', ABSENT, SOME_TEXT),
    ],
    () => ({
      args: [[0], [1], 'fuzz'],
      call: (...args: never[]) => new (TokenHistory as never as new (...args: never[]) => unknown)(...args),
    }),
  ),
  onHistory('accept', [1], param('id', SAFE_COUNT)),
  onHistory('truncate', [1], param('length', ID_0)),
  onHistory(
    'checkWithin',
    [3, 'fuzz'],
    { ...param('vocabSize', accepted('V', '4294967296')), alias: /./ },
    param('owner', SOME_TEXT),
  ),
  subject('new CandidateSet', [param('numerics', ABSENT)], () => ({
    args: [exactNumerics],
    call: (numerics: never) => new CandidateSet(numerics),
  })),
  ...onSet(
    'load',
    [[0.5], 'fuzz', false],
    param('logits', LOGITS),
    param('owner', ABSENT, SOME_TEXT),
    param('withLogprob', ABSENT, FLAG),
  ),
  ...onSet('lendBuffer', [3], param('vocabSize')),
  subject('logitsBuffer', [param('vocabSize')], () => ({ args: [3], call: lockstep.logitsBuffer })),
  ...['has', 'logit', 'probability'].flatMap((name) => onSet(name, [0], param('id', ID_0))),
  ...['idAt', 'logitAt', 'probabilityAt'].flatMap((name) => onSet(name, [0], param('index', ID_0))),
  ...['idAtRank', 'probabilityAtRank'].flatMap((name) => onSet(name, [1], param('rank', ID_0))),
  ...onSet(
    'setLogit',
    [0, 1],
    param('id', ID_0),
    param('value', FINITE, accepted('-Infinity removes the id', '-Infinity')),
  ),
  ...onSet('adjustLogits', [[0], () => 1], { ...param('ids', ...IDS), alias: /id/ }, param('adjust', CALLED)),
  ...onSet('divideLogits', [2], param('divisor', POSITIVE)),
  ...onSet('keepBest', [2], param('count', accepted('an integer >= 1', '4294967296', '9007199254740992', '1e+308'))),
  ...onSet('keepMass', [0.5, 1], param('p', POSITIVE_SHARE), param('least', ABSENT, COUNT_FROM_1)),
  ...onSet('keepLikely', [0.5, 1], param('share', SHARE), param('least', ABSENT, COUNT_FROM_1)),
  ...onSet('keepMask', [Uint32Array.of(3)], { ...param('words'), alias: /mask/ }),
  ...onSet(
    'keepAtLeast',
    [0],
    param('logit', accepted('at most the largest logit, 3', '-1', '-0', '0.5', '-Infinity')),
  ),
  ...onSet('keepIds', [() => true], param('keep', CALLED)),
  ...onSet('mapLogits', [() => 1], param('adjust', CALLED)),
  ...onSet('ranked', [2], param('count', COUNT)),
  ...onSet('settle', [0], param('id', ID_0)),
  ...onSet('mark', [0], param('mark', SAFE_COUNT)),
  ...onSet('markedProbability', [0, 0], param('mark', SAFE_COUNT), param('id', ID_0)),
  ...onSet('walk', [0.5], param('u', ID_0, accepted('in [0, 1)', '0.5'))),
];
