/**
 * The processors, their schemas and what masks come from.
 */
import type { LogitsProcessor, Tokenizer } from '../../../processors/index.js';
import * as lockstep from '../../support/every-door.js';
import {
  ABSENT,
  CALLABLE,
  COUNT,
  COUNT_FROM_1,
  EMPTY_LIST,
  FINITE,
  FLAG,
  ID_0,
  LOGITS,
  NO_IDS,
  NON_NEGATIVE,
  NUMBER,
  PLAIN,
  POSITIVE,
  POSITIVE_SHARE,
  SAFE_COUNT,
  SHARE,
  SOME_IDS,
  SOME_TEXT,
} from '../domains.js';
import { type Accepted, accepted, options, param, type Subject, subject } from '../subject.js';

const { Constrained, constraintFrom, Mask, packMask } = lockstep;

type Class = new (options: never, tokenizer: never) => unknown;

type Stateful = Required<Pick<LogitsProcessor, 'accept' | 'save' | 'restore'>>;

/** Every text is the id 0. */
const ONE_ID: Tokenizer = { vocabSize: 1, encode: () => [0], tokenBytes: () => Uint8Array.of(120) };

function step(
  target: Class,
  good: object,
  fields: Readonly<Record<string, readonly Accepted[]>>,
  ...all: readonly Accepted[]
): Subject {
  return subject(`new ${target.name}`, [{ ...options('options', fields, ...all), alias: /./ }], () => ({
    args: [good],
    call: (given: never) => new target(given, ONE_ID as never),
  }));
}

const PACKED = accepted('a packed mask of one word', 'Int32Array of [0]', 'Uint32Array of [0]');
const TO_1024 = accepted('a number in [0, 1024]', '-0', '0.5');
const UP_TO_099 = accepted('a number in [0, 0.99]', '-0', '0.5');
const BIG_COUNT = accepted('an integer above the end id', '4294967296', '9007199254740992', '1e+308');
const OPEN_SHARE = accepted('a number in (0, 1)', '0.5');
const FROM_2 = accepted('an integer >= 2', '4294967296', '9007199254740992', '1e+308');
const BELOW_1 = accepted('a number in [0, 1)', '-0', '0.5');
const A_SYMBOL = accepted('a symbol', 'a symbol');
const TEXT_BIAS = accepted('biases by texts', ...PLAIN.names, '{ unknown: 1 }', '{ length: 1 }');
const BIAS = accepted('no biases', ...PLAIN.names, 'an empty Map');
const MASKS = accepted(
  'any array: whether it fits is known when V is',
  ...[
    ...['[]', '[undefined]', '[null]', '[NaN]', '[0.5]', '[-1]', '["x"]', '[{}]', '[[1]]', 'a cyclic array'],
    ...[
      'an array 9,000 deep',
      'an array of 6^20 ways',
      'an array of another realm',
      'an array of holes',
      'an array with a getter that throws',
    ],
  ],
);
const STEP_STATE = accepted('its place, any ids', ...EMPTY_LIST.names);

function constraint() {
  return constraintFrom((ids) => [ids.length === 0 ? 0 : 1], [1]);
}

const XTC = {
  probability: [SHARE],
  threshold: [ABSENT, accepted('a number in (0, 0.5]', '0.5')],
  min_keep: [ABSENT, COUNT_FROM_1],
  special_ids: [ABSENT, SOME_IDS, NO_IDS],
};

/** `accept` and `restore` of a step with a state. */
function stateful(target: Class, good: object, states: readonly Accepted[]): readonly Subject[] {
  const held = () => new target(good as never, ONE_ID as never) as Stateful;
  return [
    subject(`${target.name}.accept`, [param('id', SAFE_COUNT), param('info', ABSENT)], () => {
      const step = held();
      return { args: [0, { probability: 0.5 }], call: step.accept.bind(step) as never, watch: () => step.save() };
    }),
    subject(`${target.name}.restore`, [param('state', ...states)], () => {
      const step = held();
      return { args: [step.save()], call: step.restore.bind(step) as never, watch: () => step.save() };
    }),
  ];
}

export const PROCESSORS: readonly Subject[] = [
  step(lockstep.AllowedTokens, { ids: [0] }, { ids: [SOME_IDS] }),
  step(lockstep.BannedTokens, { ids: [0] }, { ids: [SOME_IDS, NO_IDS] }),
  step(lockstep.BadWords, { words: [[0]] }, { words: [accepted('words of one id', '[[1]]', '["x"]')] }),
  step(lockstep.SuppressAtBegin, { ids: [0] }, { ids: [SOME_IDS, NO_IDS] }),
  step(lockstep.MinTokens, { min_tokens: 1, end_ids: [0] }, { min_tokens: [COUNT], end_ids: [SOME_IDS] }),
  step(
    lockstep.ForcedEnd,
    { max_tokens: 1, end_id: 0 },
    { max_tokens: [accepted('an integer >= 1', '4294967296', '9007199254740992', '1e+308')], end_id: [COUNT] },
  ),
  step(lockstep.NoRepeatNgram, { n: 2 }, { n: [COUNT] }),
  step(lockstep.MinLength, { min_length: 1, end_ids: [0] }, { min_length: [COUNT], end_ids: [SOME_IDS] }),
  step(lockstep.ForcedBegin, { begin_id: 0 }, { begin_id: [COUNT] }),
  step(lockstep.EncoderNoRepeatNgram, { n: 2 }, { n: [COUNT], encoder_ids: [ABSENT, SOME_IDS] }),
  step(lockstep.SequenceBias, { sequences: [{ ids: [0], bias: 1 }] }, { sequences: [EMPTY_LIST] }),
  step(
    lockstep.RecentRepetition,
    { penalty: 2, sustain: 1 },
    {
      penalty: [POSITIVE],
      sustain: [ABSENT, COUNT],
      decay: [ABSENT, COUNT],
      prompt: [ABSENT, FLAG],
      exempt_ids: [ABSENT, SOME_IDS, NO_IDS],
    },
  ),
  step(
    lockstep.RecentPresenceFrequency,
    { presence: 1 },
    {
      presence: [ABSENT, FINITE],
      frequency: [ABSENT, FINITE],
      window: [ABSENT, COUNT],
      prompt: [ABSENT, FLAG],
      exempt_ids: [ABSENT, SOME_IDS, NO_IDS],
    },
    PLAIN,
  ),
  step(lockstep.EncoderRepetition, { penalty: 2 }, { penalty: [POSITIVE], encoder_ids: [ABSENT, SOME_IDS] }),
  step(
    lockstep.Dry,
    { multiplier: 1 },
    {
      multiplier: [NON_NEGATIVE],
      base: [ABSENT, accepted('finite and >= 1', '4294967296', '9007199254740992', '1e+308')],
      allowed_length: [ABSENT, COUNT],
      breakers: [ABSENT, accepted('texts and ids', '["x"]'), EMPTY_LIST],
      window: [ABSENT, COUNT_FROM_1],
    },
  ),
  step(
    lockstep.ExponentialDecayLength,
    { start: 1, factor: 2, end_ids: [0] },
    { start: [COUNT], factor: [POSITIVE], end_ids: [SOME_IDS] },
  ),
  subject('new PrefixAllowedTokens', [param('allowed', CALLABLE)], () => ({
    args: [() => [0]],
    call: (given: never) => new lockstep.PrefixAllowedTokens(given),
  })),
  step(lockstep.TextBias, { bias: { x: 1 } }, { bias: [TEXT_BIAS] }),
  step(lockstep.LogitBias, { bias: { 0: 1 } }, { bias: [BIAS] }),
  step(lockstep.Mirostat, { tau: 5 }, { tau: [ABSENT, TO_1024], eta: [ABSENT, SHARE] }, PLAIN),
  step(lockstep.MirostatV2, { tau: 5 }, { tau: [ABSENT, TO_1024], eta: [ABSENT, SHARE] }, PLAIN),
  step(lockstep.AdaptiveP, { target: 0.5 }, { target: [SHARE], decay: [ABSENT, UP_TO_099] }),
  step(
    lockstep.ThinkingBudget,
    { budget: 1, begin: [0], end: [1] },
    { budget: [COUNT], begin: [SOME_IDS], end: [SOME_IDS], message: [ABSENT, SOME_IDS, NO_IDS], begun: [ABSENT, FLAG] },
  ),
  step(
    lockstep.WhisperTimestamps,
    { no_timestamps_id: 3, end_id: 1 },
    { no_timestamps_id: [BIG_COUNT], end_id: [ID_0], max_initial: [ABSENT, COUNT] },
  ),
  step(lockstep.ForcedTrace, { trace: [0] }, { trace: [SOME_IDS, NO_IDS] }),
  step(lockstep.Infill, { end_ids: [0] }, { end_ids: [SOME_IDS] }),
  step(
    lockstep.GreenList,
    { key: 1 },
    { key: [SAFE_COUNT], ratio: [ABSENT, OPEN_SHARE], width: [ABSENT, COUNT_FROM_1], bias: [ABSENT, NON_NEGATIVE] },
  ),
  step(
    lockstep.SynthId,
    { keys: [1], ngram_len: 5 },
    {
      keys: [],
      ngram_len: [FROM_2],
      context_history_size: [ABSENT, COUNT_FROM_1],
      skip_first_ngram_calls: [ABSENT, FLAG],
    },
  ),
  subject(
    'detectGreenList',
    [
      param('ids', SOME_IDS, NO_IDS),
      options('options', {
        key: [SAFE_COUNT],
        ratio: [ABSENT, OPEN_SHARE],
        width: [ABSENT, COUNT_FROM_1],
        repeated: [ABSENT, FLAG],
      }),
    ],
    () => ({ args: [[0, 1], { key: 1 }], call: lockstep.detectGreenList }),
  ),
  subject(
    'detectSynthId',
    [
      param('ids', SOME_IDS, NO_IDS),
      options('options', { keys: [], ngram_len: [FROM_2], context_history_size: [ABSENT, COUNT_FROM_1] }),
    ],
    () => ({ args: [[0, 1], { keys: [1], ngram_len: 2 }], call: lockstep.detectSynthId }),
  ),
  subject('ThinkingBudget.only', [param('vocabSize', SAFE_COUNT)], () => {
    const held = new lockstep.ThinkingBudget({ budget: 0, begin: [0], end: [0], begun: true });
    return { args: [3], call: held.only.bind(held) as never, watch: () => held.save() };
  }),
  subject('ThinkingBudget.accept', [param('id', SAFE_COUNT)], () => {
    const held = new lockstep.ThinkingBudget({ budget: 5, begin: [0], end: [1] });
    return { args: [0], call: held.accept.bind(held) as never, watch: () => held.save() };
  }),
  subject('ThinkingBudget.restore', [param('state')], () => {
    const held = new lockstep.ThinkingBudget({ budget: 5, begin: [0], end: [1] });
    return { args: [held.save()], call: held.restore.bind(held) as never, watch: () => held.save() };
  }),
  ...stateful(lockstep.Mirostat, {}, [FINITE]),
  ...stateful(lockstep.MirostatV2, {}, [FINITE]),
  ...stateful(lockstep.AdaptiveP, { target: 0.5 }, []),
  step(
    lockstep.DynamicTemperature,
    { low: 0, high: 1e308 },
    { low: [NON_NEGATIVE], high: [NON_NEGATIVE], exponent: [ABSENT, NON_NEGATIVE] },
  ),
  step(
    lockstep.QuadraticSmoothing,
    { factor: 1 },
    {
      factor: [NON_NEGATIVE],
      curve: [ABSENT, accepted('finite and >= 1', '4294967296', '9007199254740992', '1e+308')],
    },
  ),
  step(lockstep.LogSoftmax, {}, {}, PLAIN),
  step(lockstep.Typical, { p: 1 }, { p: [POSITIVE_SHARE], min_keep: [ABSENT, COUNT_FROM_1] }),
  step(lockstep.Epsilon, { epsilon: 0 }, { epsilon: [BELOW_1], min_keep: [ABSENT, COUNT_FROM_1] }),
  step(lockstep.Eta, { epsilon: 0 }, { epsilon: [BELOW_1], min_keep: [ABSENT, COUNT_FROM_1] }),
  step(lockstep.TopA, { a: 1 }, { a: [SHARE], min_keep: [ABSENT, COUNT_FROM_1] }),
  step(lockstep.TailFree, { z: 1 }, { z: [SHARE], min_keep: [ABSENT, COUNT_FROM_1] }),
  step(lockstep.TopNSigma, { n: 1 }, { n: [POSITIVE] }),
  step(lockstep.TopH, { h: 1 }, { h: [POSITIVE_SHARE] }),
  step(lockstep.PLess, {}, {}, PLAIN),
  step(lockstep.PLessNorm, {}, {}, PLAIN),
  step(lockstep.Xtc, { probability: 1 }, XTC),
  step(lockstep.XtcMixture, { probability: 1 }, XTC),
  subject(
    'new Guidance',
    [{ ...options('options', { scale: [FINITE] }), alias: /./ }, param('source', ABSENT, CALLABLE)],
    () => ({
      args: [{ scale: 2 }, undefined],
      call: (given: never, source: never) => new lockstep.Guidance(given, source),
    }),
  ),
  subject('Guidance.set', [param('logits', LOGITS)], () => {
    const held = new lockstep.Guidance({ scale: 2 });
    return { args: [[0]], call: held.set.bind(held) as never, watch: () => held.save() };
  }),
  subject('Guidance.restore', [param('state', SAFE_COUNT)], () => {
    const held = new lockstep.Guidance({ scale: 2 });
    return { args: [0], call: held.restore.bind(held) as never, watch: () => held.save() };
  }),
  step(lockstep.RepetitionPenalty, { penalty: 2 }, { penalty: [POSITIVE] }),
  step(
    lockstep.PresenceFrequency,
    { presence: 1, frequency: 1 },
    { presence: [ABSENT, FINITE], frequency: [ABSENT, FINITE] },
    PLAIN,
  ),
  step(lockstep.Temperature, { temperature: 1 }, { temperature: [NON_NEGATIVE] }),
  step(lockstep.TopK, { k: 1 }, { k: [COUNT] }),
  step(lockstep.TopP, { p: 1 }, { p: [POSITIVE_SHARE] }),
  step(lockstep.MinP, { m: 1 }, { m: [SHARE] }),
  subject(
    'new Constrained',
    [
      param('constraint'),
      options(
        'options',
        {
          name: [ABSENT, SOME_TEXT],
          options: [
            ABSENT,
            PLAIN,
            accepted(
              'data, of which JSON is made when the chain is saved, and refused then',
              '{ unknown: 1 }',
              '{ length: 1 }',
              'a cyclic object',
              'an object 9,000 deep',
              'a thenable',
            ),
          ],
        },
        ABSENT,
        PLAIN,
      ),
    ],
    () => ({
      args: [constraint(), {}],
      call: (...args: never[]) => new (Constrained as never as new (...args: never[]) => unknown)(...args),
    }),
  ),
  subject('Constrained.restore', [param('state', STEP_STATE)], () => {
    const held = new Constrained(constraint());
    return { args: [[0]], call: (state: never) => held.restore(state), watch: () => held.save() };
  }),
  subject('Constrained.accept', [param('id', ID_0)], () => {
    const held = new Constrained(constraint());
    return { args: [0], call: (id: never) => held.accept(id), watch: () => held.save() };
  }),
  ...(['only', 'budget'] as const).map((name) =>
    subject(`Constrained.${name}`, [param(name === 'only' ? 'vocabSize' : 'tokens', SAFE_COUNT)], () => {
      const held = new Constrained(constraint());
      return { args: [3], call: (given: never) => held[name](given), watch: () => held.save() };
    }),
  ),
  subject('constraintFrom', [param('allowed', CALLABLE), param('endIds', SOME_IDS, NO_IDS)], () => ({
    args: [() => [0], [1]],
    call: constraintFrom,
  })),
  subject('Mask.set', [{ ...param('mask', MASKS, PACKED), alias: /mask/ }], () => {
    const mask = new Mask();
    return { args: [[true]], call: (given: never) => mask.set(given) };
  }),
  subject(
    'packMask',
    [
      param('mask', PACKED),
      { ...param('vocabSize'), alias: /target/ },
      param('target', ABSENT, accepted('a word to write to', 'Uint32Array of [0]')),
      param('owner', ABSENT, SOME_TEXT),
    ],
    () => ({
      args: [[true], 1, new Uint32Array(1), 'fuzz'],
      call: packMask,
    }),
  ),
  subject('numberIn', [param('domain', SOME_TEXT), param('accepts', CALLABLE)], () => ({
    args: ['a number', () => true],
    call: lockstep.numberIn,
  })),
  subject('token', [param('name', SOME_TEXT)], () => ({ args: ['x'], call: lockstep.token })),
  subject('ifGiven', [param('wanted', A_SYMBOL)], () => ({
    args: [lockstep.TOKENS.tokenizer],
    call: lockstep.ifGiven,
  })),
  subject('integerFrom', [param('least', NUMBER)], () => ({ args: [0], call: lockstep.integerFrom })),
  subject(
    'processor',
    [
      {
        ...options('info', {
          name: [accepted('a name in kebab-case', '"x"', 'a long string')],
          options: [],
          stage: [],
          draws: [ABSENT, SAFE_COUNT],
        }),
        alias: /options/,
      },
    ],
    () => ({
      args: [{ name: 'mine', options: lockstep.processorInfo(lockstep.TopK).options, stage: 'policy', draws: 0 }],
      call: (info: never) => lockstep.processor(info),
    }),
  ),
  subject('processorInfo', [param('class')], () => ({ args: [lockstep.TopK], call: lockstep.processorInfo })),
  subject(
    'checkOptions',
    [
      param('owner', SOME_TEXT),
      { ...param('schema'), alias: /options/ },
      { ...param('input'), alias: /./ },
      param('name', ABSENT, SOME_TEXT),
    ],
    () => ({
      args: ['fuzz', lockstep.processorInfo(lockstep.TopK).options, { k: 1 }, 'options'],
      call: lockstep.checkOptions,
    }),
  ),
];
