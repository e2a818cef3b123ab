/**
 * Grammars, their constraints and their drafter.
 */
import { grammarModule } from '../../../src/container/index.js';
import * as grammar from '../../../src/grammar/index.js';
import { BYTE_TOKENIZER, END } from '../../support/byte-tokens.js';
import { ABSENT, CALLED, EMPTY_LIST, FLAG, ID_0, NO_IDS, PLAIN, SOME_IDS } from '../domains.js';
import { accepted, options, type Param, param, type Subject, subject } from '../subject.js';

const grammars = await grammar.createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
const X = grammars.regex('x');
const WRITTEN: NonNullable<Param['fields']> = { whitespace: [ABSENT] };
const SCHEMA_OPTIONS = options('options', { ...WRITTEN, keys: [ABSENT], unsupported: [ABSENT] }, ABSENT, PLAIN);
const TOOL = { name: 'f', parameters: { type: 'object' } };

type Kind = 'step' | 'jsonSchema' | 'json' | 'tools' | 'regex' | 'choice' | 'ebnf' | 'lark';

function kind(name: Kind, args: readonly unknown[], ...params: readonly Param[]): Subject {
  const call = (...given: never[]) => (grammars[name] as (...args: never[]) => unknown).call(grammars, ...given);
  return subject(`Grammars.${name}`, params, () => ({ args, call }));
}

function place(name: 'advance' | 'restore' | 'budget', args: readonly unknown[], ...params: readonly Param[]): Subject {
  return subject(`GrammarConstraint.${name}`, params, () => {
    const constraint = X.constraint();
    return { args, call: (given: never) => constraint[name](given), watch: () => constraint.save() };
  });
}

export const GRAMMARS: readonly Subject[] = [
  subject(
    'createGrammars',
    [options('options', { tokenizer: [], endIds: [SOME_IDS], vocabSize: [ABSENT], module: [ABSENT] })],
    () => ({
      args: [{ tokenizer: BYTE_TOKENIZER, endIds: [END] }],
      call: grammar.createGrammars,
      end: (made) => (made as grammar.Grammars).dispose(),
    }),
  ),
  subject('grammarModule', [param('grammars')], () => ({ args: [grammars], call: grammarModule })),
  kind(
    'jsonSchema',
    [{}, {}],
    {
      ...param(
        'schema',
        accepted(
          'everything; words that JSON Schema does not know are remarks',
          'true',
          ...PLAIN.names,
          '{ unknown: 1 }',
          '{ length: 1 }',
        ),
      ),
      alias: /./,
    },
    SCHEMA_OPTIONS,
  ),
  kind(
    'step',
    [{ regex: 'x' }, BYTE_TOKENIZER],
    { ...param('options'), alias: /./ },
    { ...param('tokenizer', ABSENT), alias: /./ },
  ),
  kind('json', [{}], options('options', WRITTEN, ABSENT, PLAIN)),
  kind('tools', [[TOOL], {}], { ...param('tools'), alias: /tools/ }, SCHEMA_OPTIONS),
  kind('regex', ['x'], { ...param('pattern', accepted('a pattern', '""', '"x"', '"1"')), alias: /regex/ }),
  kind('choice', [['x']], { ...param('texts', accepted('a text', '["x"]')), alias: /choice/ }),
  kind('ebnf', ['root ::= "x"'], { ...param('grammar'), alias: /ebnf/ }),
  kind('lark', ['start: "x"'], { ...param('grammar'), alias: /lark/ }),
  subject(
    'Grammar.constraint',
    [
      options(
        'options',
        { close: [ABSENT, FLAG, accepted('more ids than the text needs', '4294967296', '9007199254740992', '1e+308')] },
        ABSENT,
        PLAIN,
      ),
    ],
    () => ({
      args: [{}],
      call: (given: never) => X.constraint(given),
    }),
  ),
  place('advance', [120], param('id')),
  place('restore', [[120]], param('state', EMPTY_LIST)),
  place('budget', [5], param('tokens', ID_0, accepted('a number of ids', '4294967296'))),
  subject('new GrammarDrafter', [param('grammar'), param('tokenizer')], () => ({
    args: [X, BYTE_TOKENIZER],
    call: (...args: never[]) => new (grammar.GrammarDrafter as never as new (...args: never[]) => unknown)(...args),
  })),
  subject(
    'GrammarDrafter.open',
    [
      {
        ...options('request', {
          prompt: [SOME_IDS, NO_IDS],
          vocabSize: [accepted('V', '4294967296')],
          endIds: [SOME_IDS, NO_IDS],
          uniform: [CALLED],
        }),
        isOpen: true,
        alias: /request|vocabSize/,
      },
    ],
    () => {
      const drafter = new grammar.GrammarDrafter(X, BYTE_TOKENIZER);
      return {
        args: [{ prompt: [0], vocabSize: 257, endIds: [END], uniform: () => 0.5 }],
        call: (given: never) => drafter.open(given),
      };
    },
  ),
];
