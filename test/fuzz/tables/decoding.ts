/**
 * Text from models: generations, beams, speculation, and the parts that they have.
 */

import * as lockstep from '../../support/every-door.js';
import { PieceTokenizer, ScriptedModel } from '../../support/scripted-model.js';
import {
  ABSENT,
  COUNT,
  EMPTY_LIST,
  FINITE,
  FLAG,
  ID_0,
  NO_IDS,
  NON_NEGATIVE,
  PLAIN,
  POSITIVE,
  POSITIVE_SHARE,
  SEED,
  SHARE,
  SOME_IDS,
  TEXT,
} from '../domains.js';
import { accepted, options, type Param, param, type Subject, subject } from '../subject.js';
import { CHAIN_ALIAS, CHOICE, SAMPLING } from './chains.js';

const V = 3;
const IDS = [SOME_IDS, NO_IDS];
const COUNT_1 = accepted('an integer >= 1', '4294967296', '9007199254740992', '1e+308');
const SAFE_1 = accepted('an integer >= 1 below 2^53', '4294967296');
/** The text of the scripted tokenizer is of its letters. */
const PROMPT = [SOME_IDS, NO_IDS, accepted('no text; the model has a begin token', '""')];
/** What is wrong with a text is the tokenizer's to say. */
const TEXT_PROMPT: Param = { ...param('prompt', ...PROMPT), alias: /encode/ };
const NO_BIAS = accepted('no biases', ...PLAIN.names, 'an empty Map');

const GENERATION: NonNullable<Param['fields']> = {
  ...SAMPLING,
  stop: [ABSENT, accepted('stop strings', ...EMPTY_LIST.names, '["x"]')],
  n: [ABSENT],
  echo: [ABSENT, FLAG],
  logit_bias: [ABSENT, NO_BIAS],
  min_tokens: [ABSENT, ID_0],
  stop_waits: [ABSENT, FLAG],
  stop_token_ids: [ABSENT, ...IDS],
};
const BEAMS: NonNullable<Param['fields']> = {
  num_beams: [ABSENT, COUNT_1],
  num_return_sequences: [ABSENT],
  max_tokens: [ABSENT, COUNT_1],
  min_tokens: [ABSENT, COUNT],
  length_penalty: [ABSENT, FINITE],
  early_stopping: [ABSENT, accepted('off', 'false')],
  no_repeat_ngram_size: [ABSENT, COUNT],
  repetition_penalty: [ABSENT, POSITIVE],
  presence_penalty: [ABSENT, FINITE],
  frequency_penalty: [ABSENT, FINITE],
  num_beam_groups: [ABSENT],
  diversity_penalty: [ABSENT, ID_0],
  do_sample: [ABSENT, accepted('off', 'false')],
  temperature: [ABSENT],
  top_k: [ABSENT, ID_0],
  top_p: [ABSENT],
  min_p: [ABSENT, ID_0],
  seed: [ABSENT],
  eos_token_id: [ABSENT, ID_0, ...IDS],
};
const WHEN_FULL = { whenFull: [ABSENT], signal: [ABSENT] };
const OPTIONS: Param = { ...options('options', { ...CHOICE, ...WHEN_FULL }, ABSENT, PLAIN), alias: CHAIN_ALIAS };
const GENERATION_PARAMS = { ...options('params', GENERATION, ABSENT, PLAIN), alias: /max_tokens|min_tokens|stop/ };

function parts() {
  const model = new ScriptedModel(V, 50, [2], () => [1, 0, -1], 0);
  const tokenizer = new PieceTokenizer(['a', 'b', '']);
  const watch = () => [model.opened, model.appended];
  return { model, tokenizer, watch };
}

function decoding(
  of: string,
  params: readonly Param[],
  call: (...args: never[]) => unknown,
  rest: () => readonly unknown[],
): Subject {
  return subject(of, params, () => {
    const { model, tokenizer, watch } = parts();
    return { args: [model, tokenizer, ...rest()], call, watch };
  });
}

/** A request that is refused has its error in its place. */
function firstRefusal(group: unknown): void {
  const [member] = (group as lockstep.GenerationGroup<unknown>).members;
  if (member !== undefined && 'refused' in member) throw member.refused;
}

function request() {
  return { prompt: [0], vocabSize: V, endIds: [2], uniform: () => 0.5 };
}

const REQUEST = options('request', {
  prompt: IDS,
  vocabSize: [SAFE_1],
  endIds: IDS,
  uniform: [accepted('a function', 'a function', 'an async function', 'a class', 'a Proxy of a function that throws')],
});
const WIDE_REQUEST = { ...REQUEST, isOpen: true, alias: /request|vocabSize/ };

function saved(): lockstep.GenerationState {
  const { model, tokenizer } = parts();
  return lockstep.generate(model, tokenizer, [0], { seed: 1 }).save();
}

const P = Float64Array.of(0.5, 0.5, 0);
const DRAFT: NonNullable<Param['fields']> = { id: [ID_0], q: [ABSENT] };

function verifying(name: 'verifyDraft' | 'acceptRatio' | 'residual', ...more: readonly Param[]): Subject {
  return subject(name, [param('p'), { ...options('draft', DRAFT), isOpen: true, alias: /draft/ }, ...more], () => {
    const random = new lockstep.Pcg32(1);
    const { verifyDraft, acceptRatio, residual } = lockstep;
    return {
      args: [P, { id: 0 }, ...(more.length > 0 ? [random] : [])],
      call: { verifyDraft, acceptRatio, residual }[name] as never,
      watch: () => random.save(),
    };
  });
}

export const DECODING: readonly Subject[] = [
  subject(
    'validateGeneration',
    [{ ...GENERATION_PARAMS, fields: { ...GENERATION, min_tokens: [ABSENT, COUNT] } }],
    () => ({ args: [{}], call: lockstep.validateGeneration }),
  ),
  subject(
    'validateBeamParams',
    [
      options(
        'params',
        {
          ...BEAMS,
          num_beams: [ABSENT, COUNT_1],
          num_return_sequences: [ABSENT, COUNT_1],
          early_stopping: [ABSENT, FLAG],
          num_beam_groups: [ABSENT, COUNT_1],
          diversity_penalty: [ABSENT, NON_NEGATIVE],
          do_sample: [ABSENT, FLAG],
          temperature: [ABSENT, POSITIVE],
          top_k: [ABSENT, COUNT],
          top_p: [ABSENT, POSITIVE_SHARE],
          min_p: [ABSENT, SHARE],
          seed: [ABSENT, SEED],
          eos_token_id: [ABSENT, COUNT, ...IDS],
        },
        ABSENT,
        PLAIN,
      ),
    ],
    () => ({
      args: [{}],
      call: lockstep.validateBeamParams,
    }),
  ),
  decoding(
    'generate',
    [param('model'), param('tokenizer'), TEXT_PROMPT, GENERATION_PARAMS, OPTIONS],
    lockstep.generate,
    () => [[0], {}, {}],
  ),
  decoding(
    'generateChoices',
    [param('model'), param('tokenizer'), TEXT_PROMPT, GENERATION_PARAMS, OPTIONS],
    lockstep.generateChoices,
    () => [[0], {}, {}],
  ),
  subject(
    'generateMany',
    [param('model'), param('tokenizer'), { ...param('requests', EMPTY_LIST), alias: /./ }],
    () => {
      const { model, tokenizer, watch } = parts();
      return { args: [model, tokenizer, [{ prompt: [0] }]], call: lockstep.generateMany, watch, end: firstRefusal };
    },
  ),
  subject(
    'restoreGeneration',
    [
      param('model'),
      param('tokenizer'),
      options('saved', {
        version: [],
        model: [],
        tokenizer: [],
        sampler: [],
        params: [],
        whenFull: [],
        held: [],
        echo: [accepted('a text, or null for none', ...TEXT.names, 'null')],
        ending: [accepted('none yet', 'null')],
        ended: [accepted('not handed out yet', 'false')],
      }),
      options(
        'options',
        { container: [ABSENT], grammars: [ABSENT], steps: [ABSENT, EMPTY_LIST], signal: [ABSENT] },
        ABSENT,
        PLAIN,
      ),
    ],
    () => {
      const { model, tokenizer, watch } = parts();
      return { args: [model, tokenizer, saved(), {}], call: lockstep.restoreGeneration, watch };
    },
  ),
  subject(
    'beamSteps',
    [
      param('model'),
      TEXT_PROMPT,
      { ...options('params', BEAMS, ABSENT, PLAIN), alias: /./ },
      {
        ...options('options', { ...CHOICE, rules: [ABSENT], tokenizer: [ABSENT], signal: [ABSENT] }, ABSENT, PLAIN),
        alias: CHAIN_ALIAS,
      },
    ],
    () => {
      const { model, tokenizer, watch } = parts();
      return { args: [model, [0], {}, { tokenizer }], call: lockstep.beamSteps, watch };
    },
  ),
  decoding(
    'generateSpeculative',
    [
      param('model'),
      param('tokenizer'),
      TEXT_PROMPT,
      {
        ...options('params', { ...GENERATION, echo: [ABSENT, accepted('off', 'false')] }, ABSENT, PLAIN),
        alias: /max_tokens|min_tokens|stop/,
      },
      {
        ...options('options', { ...CHOICE, drafter: [], draftTokens: [ABSENT, SAFE_1], signal: [ABSENT] }),
        alias: CHAIN_ALIAS,
      },
    ],
    lockstep.generateSpeculative,
    () => [[0], {}, { drafter: new lockstep.PromptLookupDrafter() }],
  ),
  subject(
    'new ModelDrafter',
    [
      param('model'),
      {
        ...options(
          'params',
          { ...SAMPLING, seed: [ABSENT], max_tokens: [ABSENT], stop: [ABSENT], logprobs: [ABSENT] },
          ABSENT,
          PLAIN,
        ),
      },
      { ...options('options', { ...CHOICE, tokenizer: [ABSENT] }, ABSENT, PLAIN), alias: CHAIN_ALIAS },
    ],
    () => ({
      args: [parts().model, {}, {}],
      call: (...args: never[]) => new (lockstep.ModelDrafter as never as new (...args: never[]) => unknown)(...args),
    }),
  ),
  subject('ModelDrafter.open', [{ ...WIDE_REQUEST, fields: { ...WIDE_REQUEST.fields, vocabSize: [] } }], () => {
    const drafter = new lockstep.ModelDrafter(parts().model);
    return { args: [request()], call: (given: never) => drafter.open(given) };
  }),
  subject('PromptLookupDrafter.open', [WIDE_REQUEST], () => {
    const drafter = new lockstep.PromptLookupDrafter();
    return { args: [request()], call: (given: never) => drafter.open(given) };
  }),
  subject('NgramTableDrafter.open', [WIDE_REQUEST], () => {
    const drafter = new lockstep.NgramTableDrafter(new lockstep.NgramTable([]));
    return { args: [request()], call: (given: never) => drafter.open(given) };
  }),
  subject(
    'new PromptLookupDrafter',
    [{ ...options('options', { maxNgram: [ABSENT, COUNT_1], minNgram: [ABSENT] }, ABSENT, PLAIN), alias: /maxNgram/ }],
    () => ({
      args: [{ maxNgram: 8, minNgram: 1 }],
      call: (given: never) => new lockstep.PromptLookupDrafter(given),
    }),
  ),
  subject(
    'new NgramTable',
    [
      param(
        'corpus',
        accepted(
          'texts of no ids, or none',
          ...EMPTY_LIST.names,
          'an empty Map',
          'a generator',
          'an empty Float32Array',
          '[[1]]',
        ),
      ),
      param('order', ABSENT, SAFE_1),
    ],
    () => ({
      args: [[[0, 1]], 3],
      call: (...args: never[]) => new (lockstep.NgramTable as never as new (...args: never[]) => unknown)(...args),
    }),
  ),
  subject('NgramTable.next', [param('ids', ...IDS)], () => {
    const table = new lockstep.NgramTable([[0, 1]]);
    return { args: [[0]], call: (ids: never) => table.next(ids) };
  }),
  subject('new NgramTableDrafter', [param('table')], () => ({
    args: [new lockstep.NgramTable([])],
    call: (table: never) => new lockstep.NgramTableDrafter(table),
  })),
  verifying('verifyDraft', param('uniforms')),
  verifying('acceptRatio'),
  verifying('residual'),
  subject(
    'new StopScanner',
    [
      { ...param('stops', EMPTY_LIST, accepted('stop strings', '["x"]')) },
      param('held', ABSENT, TEXT),
      param('passed', ABSENT, ID_0),
    ],
    () => ({
      args: [['x'], '', 0],
      call: (...args: never[]) => new (lockstep.StopScanner as never as new (...args: never[]) => unknown)(...args),
    }),
  ),
  ...(['push', 'pass'] as const).map((name) =>
    subject(`StopScanner.${name}`, [param('piece', TEXT)], () => {
      const scanner = new lockstep.StopScanner(['xy']);
      return { args: ['x'], call: (piece: never) => scanner[name](piece), watch: () => [scanner.held, scanner.passed] };
    }),
  ),
  subject('Generation.toReadableStream', [param('chunks', ABSENT)], () => {
    const { model, tokenizer, watch } = parts();
    const generation = lockstep.generate(model, tokenizer, [0]);
    return { args: ['text'], call: (chunks: never) => generation.toReadableStream(chunks), watch };
  }),
];
