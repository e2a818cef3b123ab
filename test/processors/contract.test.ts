import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { domainOf } from '../../processors/domain-of.js';
import {
  AdaptiveP,
  AllowedTokens,
  BadWords,
  BannedTokens,
  Dry,
  DynamicTemperature,
  EncoderNoRepeatNgram,
  EncoderRepetition,
  Epsilon,
  Eta,
  ExponentialDecayLength,
  ForcedBegin,
  ForcedEnd,
  ForcedTrace,
  GreenList,
  Infill,
  LogitBias,
  LogSoftmax,
  MinLength,
  MinP,
  MinTokens,
  Mirostat,
  MirostatV2,
  NoRepeatNgram,
  type OptionsSchema,
  PLess,
  PLessNorm,
  PROCESSORS,
  PresenceFrequency,
  Processor,
  type ProcessorClass,
  processor,
  processorInfo,
  QuadraticSmoothing,
  RecentPresenceFrequency,
  RecentRepetition,
  RepetitionPenalty,
  SequenceBias,
  SuppressAtBegin,
  SynthId,
  TailFree,
  Temperature,
  TextBias,
  ThinkingBudget,
  TopA,
  TopH,
  TopK,
  TopNSigma,
  TopP,
  Typical,
  WhisperTimestamps,
  Xtc,
  XtcMixture,
} from '../../processors/index.js';
import { processorModule } from '../../src/container/modules.js';

describe('the list of processors', () => {
  it('holds the masks, the biases, the adaptive ones, the rules, the watermarks, shaping, filters and the six, each once', () => {
    const masks: ProcessorClass[] = [
      AllowedTokens,
      BannedTokens,
      BadWords,
      SuppressAtBegin,
      MinTokens,
      ForcedEnd,
      NoRepeatNgram,
    ];
    masks.push(MinLength, ForcedBegin, EncoderNoRepeatNgram);
    const biases = [LogitBias, TextBias, SequenceBias];
    const penalties = [RecentRepetition, RecentPresenceFrequency, EncoderRepetition, Dry, ExponentialDecayLength];
    const six = [RepetitionPenalty, PresenceFrequency, Temperature, TopK, TopP, MinP];
    const adaptive = [Mirostat, MirostatV2, AdaptiveP];
    const rules = [ThinkingBudget, WhisperTimestamps, ForcedTrace, Infill, GreenList, SynthId];
    const shaping = [DynamicTemperature, QuadraticSmoothing, LogSoftmax];
    const filters = [Typical, Epsilon, Eta, TopA, TailFree, TopNSigma, TopH, PLess, PLessNorm, Xtc, XtcMixture];
    const others = [...masks, ...biases, ...penalties, ...adaptive, ...rules, ...shaping, ...filters];
    expect(PROCESSORS).toEqual([...others, ...six]);
    expect(Object.isFrozen(PROCESSORS)).toBe(true);
  });

  it.each<[ProcessorClass, string, string, string[]]>([
    [AllowedTokens, 'allowed-tokens', 'scores', ['ids']],
    [BannedTokens, 'banned-tokens', 'scores', ['ids']],
    [BadWords, 'bad-words', 'scores', ['words']],
    [SuppressAtBegin, 'suppress-at-begin', 'scores', ['ids']],
    [MinTokens, 'min-tokens', 'scores', ['min_tokens', 'end_ids']],
    [ForcedEnd, 'forced-end', 'scores', ['max_tokens', 'end_id']],
    [NoRepeatNgram, 'no-repeat-ngram', 'scores', ['n']],
    [MinLength, 'min-length', 'scores', ['min_length', 'end_ids']],
    [ForcedBegin, 'forced-begin', 'scores', ['begin_id']],
    [EncoderNoRepeatNgram, 'encoder-no-repeat-ngram', 'scores', ['n', 'encoder_ids']],
    [LogitBias, 'logit-bias', 'scores', ['bias']],
    [TextBias, 'text-bias', 'scores', ['bias']],
    [SequenceBias, 'sequence-bias', 'scores', ['sequences']],
    [RecentRepetition, 'recent-repetition', 'scores', ['penalty', 'sustain', 'decay', 'prompt', 'exempt_ids']],
    [
      RecentPresenceFrequency,
      'recent-presence-frequency',
      'scores',
      ['presence', 'frequency', 'window', 'prompt', 'exempt_ids'],
    ],
    [EncoderRepetition, 'encoder-repetition', 'scores', ['penalty', 'encoder_ids']],
    [Dry, 'dry', 'scores', ['multiplier', 'base', 'allowed_length', 'breakers', 'window']],
    [ExponentialDecayLength, 'exponential-decay-length', 'scores', ['start', 'factor', 'end_ids']],
    [Mirostat, 'mirostat', 'policy', ['tau', 'eta']],
    [MirostatV2, 'mirostat-v2', 'policy', ['tau', 'eta']],
    [AdaptiveP, 'adaptive-p', 'policy', ['target', 'decay']],
    [ThinkingBudget, 'thinking-budget', 'scores', ['budget', 'begin', 'end', 'message', 'begun']],
    [WhisperTimestamps, 'whisper-timestamps', 'scores', ['no_timestamps_id', 'end_id', 'max_initial']],
    [ForcedTrace, 'forced-trace', 'policy', ['trace']],
    [Infill, 'infill', 'policy', ['end_ids']],
    [GreenList, 'green-list', 'policy', ['key', 'ratio', 'width', 'bias']],
    [SynthId, 'synth-id', 'policy', ['keys', 'ngram_len', 'context_history_size', 'skip_first_ngram_calls']],
    [DynamicTemperature, 'dynamic-temperature', 'policy', ['low', 'high', 'exponent']],
    [QuadraticSmoothing, 'quadratic-smoothing', 'policy', ['factor', 'curve']],
    [LogSoftmax, 'log-softmax', 'policy', []],
    [Typical, 'typical', 'policy', ['p', 'min_keep']],
    [Epsilon, 'epsilon', 'policy', ['epsilon', 'min_keep']],
    [Eta, 'eta', 'policy', ['epsilon', 'min_keep']],
    [TopA, 'top-a', 'policy', ['a', 'min_keep']],
    [TailFree, 'tail-free', 'policy', ['z', 'min_keep']],
    [TopNSigma, 'top-n-sigma', 'policy', ['n']],
    [TopH, 'top-h', 'policy', ['h']],
    [PLess, 'p-less', 'policy', []],
    [PLessNorm, 'p-less-norm', 'policy', []],
    [Xtc, 'xtc', 'policy', ['probability', 'threshold', 'min_keep', 'special_ids']],
    [XtcMixture, 'xtc-mixture', 'policy', ['probability', 'threshold', 'min_keep', 'special_ids']],
    [RepetitionPenalty, 'repetition-penalty', 'scores', ['penalty']],
    [PresenceFrequency, 'presence-frequency', 'scores', ['presence', 'frequency']],
    [Temperature, 'temperature', 'policy', ['temperature']],
    [TopK, 'top-k', 'policy', ['k', 'min_keep']],
    [TopP, 'top-p', 'policy', ['p', 'min_keep']],
    [MinP, 'min-p', 'policy', ['m', 'min_keep']],
  ])('%o is named %s, of stage %s, with the options %j', (target, name, stage, options) => {
    const info = processorInfo(target);
    expect([info.name, info.stage, Object.keys(info.options.shape)]).toEqual([name, stage, options]);
    expect(Object.isFrozen(info)).toBe(true);
  });
});

describe('Processor', () => {
  it('carries name, stage, draws and frozen options', () => {
    const given = { k: 3 };
    const step = new TopK(given);
    expect([step.name, step.stage, step.draws, step.active]).toEqual(['top-k', 'policy', 0, true]);
    expect(step.options).toEqual({ k: 3 });
    expect(Object.isFrozen(step.options)).toBe(true);
    given.k = 9;
    expect(step.options.k).toBe(3);
    expect(Object.isFrozen(given)).toBe(false);
    expect(new RepetitionPenalty({ penalty: 2 }).stage).toBe('scores');
  });

  it('takes its draws from the decorator, and is active unless it says otherwise', () => {
    const options = z.strictObject({});
    @processor({ name: 'coin', options, stage: 'policy', draws: 2 })
    class Coin extends Processor<typeof options> {
      process(): void {}
    }
    const coin = new Coin({});
    expect([coin.name, coin.draws, coin.active, coin.options]).toEqual(['coin', 2, true, {}]);
  });

  it('refuses a class below a decorated one that has no decoration of its own', () => {
    class Wide extends TopK {
      override process(): void {}
    }
    const message = 'processorInfo: `class` must be decorated with @processor, got a function (Wide)';
    expect(() => new Wide({ k: 3 })).toRefuse(message);
    expect(() => processorModule(Wide)).toRefuse(message);
    const options = z.strictObject({ k: z.number() });
    processor({ name: 'wide', options, stage: 'scores' })(Wide);
    expect([new Wide({ k: 3 }).name, new TopK({ k: 3 }).name]).toEqual(['wide', 'top-k']);
  });

  it('keeps what it says of a class out of sight, under a symbol that every copy of this package knows', () => {
    const key = Symbol.for('lockstep.processor');
    expect(Object.getOwnPropertyDescriptor(TopK, key)).toEqual({
      value: processorInfo(TopK),
      enumerable: false,
      writable: false,
      configurable: false,
    });
  });

  it.each([
    ['a class that has one', TopK, 'a function (TopK)'],
    ['a frozen class', Object.freeze(class Frozen {}), 'a function (Frozen)'],
    ['an object', {}, '{}'],
    ['nothing', undefined, 'undefined'],
  ])('refuses to decorate %s', (_, target, shown) => {
    const info = { name: 'other', options: z.strictObject({}), stage: 'policy' } as const;
    expect(() => processor(info)(target as ProcessorClass)).toRefuse(
      `@processor: \`class\` must be a class that has no decoration yet and is not frozen, got ${shown}`,
    );
  });

  it('refuses a class that nobody decorated', () => {
    class Bare extends Processor<never> {
      process(): void {}
    }
    const message = 'processorInfo: `class` must be decorated with @processor, got a function (Bare)';
    expect(() => new Bare({} as never)).toRefuse(message);
    expect(() => processorInfo(Bare as never)).toRefuse(message);
  });
});

/** Every wrong option of every processor. */
const NUMBERS: [unknown, string][] = [
  [Number.NaN, 'NaN'],
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
  ['1', '"1"'],
  [null, 'null'],
  [true, 'true'],
  [1n, '1n'],
];

const OPTIONS: {
  target: ProcessorClass;
  field: string;
  domain: string;
  wrong: [unknown, string][];
  right: number[];
}[] = [
  {
    target: RepetitionPenalty,
    field: 'penalty',
    domain: 'a finite number > 0',
    wrong: [
      [0, '0'],
      [-0, '-0'],
      [-5e-324, '-5e-324'],
      [undefined, 'undefined'],
    ],
    right: [5e-324, 1, 1e308],
  },
  { target: PresenceFrequency, field: 'presence', domain: 'a finite number', wrong: [], right: [-1e308, 0, 2] },
  { target: PresenceFrequency, field: 'frequency', domain: 'a finite number', wrong: [], right: [-1e308, 0, 2] },
  {
    target: Temperature,
    field: 'temperature',
    domain: 'a finite number >= 0',
    wrong: [
      [-5e-324, '-5e-324'],
      [undefined, 'undefined'],
    ],
    right: [0, -0, 5e-324, 1e308],
  },
  {
    target: TopK,
    field: 'k',
    domain: 'an integer >= 0',
    wrong: [
      [-1, '-1'],
      [0.5, '0.5'],
      [undefined, 'undefined'],
    ],
    right: [0, 1, 1e300],
  },
  {
    target: NoRepeatNgram,
    field: 'n',
    domain: 'an integer >= 0',
    wrong: [
      [-1, '-1'],
      [1.5, '1.5'],
      [undefined, 'undefined'],
    ],
    right: [0, 1, 1000],
  },
  {
    target: TopP,
    field: 'p',
    domain: 'a number in (0, 1]',
    wrong: [
      [0, '0'],
      [-0, '-0'],
      [1 + 2 ** -52, '1.0000000000000002'],
      [undefined, 'undefined'],
    ],
    right: [5e-324, 1],
  },
  {
    target: MinP,
    field: 'm',
    domain: 'a number in [0, 1]',
    wrong: [
      [-5e-324, '-5e-324'],
      [1 + 2 ** -52, '1.0000000000000002'],
      [undefined, 'undefined'],
    ],
    right: [0, 5e-324, 1],
  },
];

describe.each(OPTIONS)('$target.name.$field', ({ target, field, domain, wrong, right }) => {
  const make = (value: unknown) => new (target as new (options: object) => Processor<never>)({ [field]: value });

  it.each([...NUMBERS, ...wrong])('refuses %s', (value, shown) => {
    expect(() => make(value)).toRefuse(`${target.name}: \`${field}\` must be ${domain}, got ${shown}`);
  });

  it.each(right)('takes %d', (value) => {
    expect((make(value).options as Record<string, unknown>)[field]).toBe(value);
  });

  it('says its domain in words', () => {
    expect(domainOf(processorInfo(target).options.shape[field] as OptionsSchema)).toBe(domain);
  });
});

describe.each(PROCESSORS.map((target) => ({ target })))('$target.name', ({ target }) => {
  const make = target as unknown as new (options: unknown) => unknown;
  const known = Object.keys(processorInfo(target).options.shape).join(', ') || 'none';

  it('refuses an option that it does not have', () => {
    const good = {
      ...{ penalty: 1, presence: 0, frequency: 0, temperature: 1, k: 1, p: 1, m: 1, a: 1, z: 1, h: 1, factor: 1 },
      ...{ low: 1, high: 1, epsilon: 0, probability: 1 },
      ...{ ids: [1], words: [[1]], min_tokens: 1, end_ids: [1], max_tokens: 1, end_id: 1, n: 1, bias: {} },
    };
    const own = Object.fromEntries(Object.entries(good).filter(([name]) => known.split(', ').includes(name)));
    expect(() => new make({ ...own, context_size: 64 })).toRefuse(
      `${target.name}: \`context_size\` must be absent (the parameters are: ${known}), got 64`,
    );
  });

  it.each([undefined, null, 3, 'x'])('refuses %s for its options', (options) => {
    const shown = typeof options === 'string' ? `"${options}"` : options;
    expect(() => new make(options)).toRefuse(`${target.name}: \`options\` must be a plain object, got ${shown}`);
  });
});
