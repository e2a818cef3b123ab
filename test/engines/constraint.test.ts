/**
 * Constraints made of grammars: tokens of several characters and of parts of one, places, refusals, memory.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engines/xgrammar/engine.js';
import {
  createGrammars,
  type GrammarConstraint,
  type Grammars,
  type XGrammarModule,
} from '../../src/engines/xgrammar/index.js';
import { loadXGrammar } from '../../src/engines/xgrammar/load-xgrammar.js';
import { InvalidValueError, Pcg32 } from '../../src/index.js';
import { PieceTokenizer } from '../decode/scripted-model.js';
import { allowed, BYTE_TOKENIZER, END } from './byte-tokens.js';

/** Pieces, bytes of the euro sign and of an emoji, tokens with the same text, special ones. */
const PIECES = [
  'a',
  'b',
  'ab',
  'ba',
  [0xe2],
  [0x82],
  [0xac],
  [0xe2, 0x82],
  [0x82, 0xac],
  [0xac, 0x61],
  '€',
  'a',
  '',
  '',
  [0xff],
];
const STOP = 12;
const SPECIAL = 13;
const OTHER_STOP = 15;

let grammars: Grammars;

beforeAll(async () => {
  const tokenizer = new PieceTokenizer([...PIECES, 'stop']);
  grammars = await createGrammars({ tokenizer, endIds: [STOP, OTHER_STOP], vocabSize: 70 });
});

afterAll(() => grammars.dispose());

function ids(constraint: GrammarConstraint): number[] {
  return allowed(constraint, 70);
}

function refusal(act: () => void): InvalidValueError {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a grammar constraint', () => {
  it('has a mask of one bit an id, as many words as the model has logits for', () => {
    const mask = grammars.regex('a').constraint().mask();
    expect(mask).toBeInstanceOf(Int32Array);
    expect(mask.length).toBe(3);
  });

  it('allows tokens by their bytes, those with the same bytes alike', () => {
    expect(ids(grammars.regex('a+b?').constraint())).toEqual([0, 2, 11]);
    expect(ids(grammars.regex('(ab)+').constraint())).toEqual([0, 2, 11]);
    expect(ids(grammars.regex('b.*').constraint())).toEqual([1, 3]);
  });

  it('allows a part of a character where the rest may follow, and then the rest', () => {
    const constraint = grammars.regex('€a?').constraint();
    expect(ids(constraint)).toEqual([4, 7, 10]);
    constraint.advance(4);
    expect(ids(constraint)).toEqual([5, 8]);
    constraint.advance(5);
    expect(ids(constraint)).toEqual([6, 9]);
    constraint.advance(9);
    expect(ids(constraint)).toEqual([STOP, OTHER_STOP]);
  });

  it('never allows a token without text, an id beyond the tokenizer, or bytes that are no UTF-8', () => {
    const constraint = grammars.regex('[^]*').constraint();
    const never = [SPECIAL, 14, 16, 31, 32, 69];
    expect(ids(constraint).filter((id) => never.includes(id))).toEqual([]);
    for (const id of never) expect(refusal(() => constraint.advance(id))).toMatchObject({ parameter: 'id', value: id });
    expect(ids(constraint)).toEqual([0, 1, 2, 3, 4, 7, 10, 11, STOP, OTHER_STOP]);
  });

  it('allows every end id exactly where the text is complete', () => {
    const constraint = grammars.regex('a(ba)?').constraint();
    const seen = [0, 1, 0].map((id) => {
      const before = [constraint.isComplete(), ids(constraint).includes(STOP), ids(constraint).includes(OTHER_STOP)];
      constraint.advance(id);
      return before;
    });
    expect(seen).toEqual([
      [false, false, false],
      [true, true, true],
      [false, false, false],
    ]);
    expect(ids(constraint)).toEqual([STOP, OTHER_STOP]);
    expect(constraint.done).toBe(false);
  });

  it.each([STOP, OTHER_STOP])('is done after the end id %d, allows nothing more, and refuses it', (end) => {
    const constraint = grammars.regex('a').constraint();
    constraint.advance(0);
    constraint.advance(end);
    expect([constraint.done, constraint.isComplete(), ids(constraint)]).toEqual([true, true, []]);
    for (const id of [0, STOP, OTHER_STOP]) {
      const error = refusal(() => constraint.advance(id));
      expect(error.message).toBe(`GrammarConstraint: \`id\` must be absent after the end id, got ${id}`);
    }
    expect(constraint.save()).toEqual([0, end]);
  });

  it('moves nothing when it refuses an id', () => {
    const constraint = grammars.regex('ab').constraint();
    constraint.advance(0);
    const before = ids(constraint);
    for (const id of [0, 2, STOP, -1, 70, 1.5, Number.NaN, 2 ** 32 + 1]) {
      const error = refusal(() => constraint.advance(id));
      expect(error).toMatchObject({
        owner: 'GrammarConstraint',
        parameter: 'id',
        domain: 'one that the grammar allows here',
      });
      expect(Object.is(error.value, id)).toBe(true);
    }
    expect(ids(constraint)).toEqual(before);
    expect(constraint.save()).toEqual([0]);
  });

  it('leaves the others alone: each has a place of its own', () => {
    const grammar = grammars.regex('(a|b){4}');
    const [one, other] = [grammar.constraint(), grammar.constraint()];
    one.advance(0);
    one.advance(2);
    expect(ids(one)).toEqual([0, 1, 11]);
    expect(ids(other)).toEqual([0, 1, 2, 3, 11]);
  });
});

describe('the place of a grammar constraint', () => {
  it('is the list of its ids, as JSON, and no array of its own', () => {
    const constraint = grammars.regex('a+').constraint();
    constraint.advance(0);
    const state = constraint.save();
    constraint.advance(11);
    expect(JSON.parse(JSON.stringify(state))).toEqual([0]);
    expect(constraint.save()).toEqual([0, 11]);
  });

  it('comes back from anywhere: the masks are those of a constraint that went there', () => {
    const grammar = grammars.ebnf('root ::= "a" root "b" | "€"? ');
    const random = new Pcg32(11n, 1n);
    const [jumping, states] = [grammar.constraint(), [] as number[][]];
    for (let i = 0; i < 60; i++) {
      const walking = grammar.constraint();
      for (let length = random.below(9); length > 0 && !walking.done; length--) {
        const next = ids(walking);
        walking.advance(next[random.below(next.length)] as number);
      }
      states.push(walking.save() as number[]);
      jumping.restore(states[random.below(states.length)] as number[]);
      jumping.restore(walking.save());
      expect(ids(jumping)).toEqual(ids(walking));
      expect([jumping.done, jumping.isComplete(), jumping.save()]).toEqual([
        walking.done,
        walking.isComplete(),
        walking.save(),
      ]);
    }
  });

  it.each([
    ['no array', { ids: [0] }],
    ['no ids', [0.5]],
    ['an id beyond the vocabulary', [0, 70]],
    ['a negative id', [-1]],
    ['a special token', [0, SPECIAL]],
    ['an id beyond the tokenizer', [0, 30]],
    ['ids that the grammar does not allow', [0, 1, 0]],
    ['an end where the text is not complete', [0, STOP]],
    ['ids after the end', [0, 1, STOP, 0]],
    ['two ends', [0, 1, STOP, STOP]],
    ['null', null],
  ])('is refused, and nothing moved, for %s', (_, state) => {
    const constraint = grammars.regex('ab').constraint();
    constraint.advance(0);
    expect(refusal(() => constraint.restore(state as number[]))).toMatchObject({
      owner: 'GrammarConstraint',
      parameter: 'state',
    });
    expect(constraint.save()).toEqual([0]);
    expect(ids(constraint)).toEqual([1]);
    constraint.advance(1);
    constraint.advance(STOP);
    expect(constraint.done).toBe(true);
  });
});

describe('grammars', () => {
  it('are compiled once for each text', () => {
    expect(grammars.regex('a{2}')).toBe(grammars.regex('a{2}'));
    expect(grammars.regex('aa')).toBe(grammars.ebnf('root ::= "a" "a"'));
    expect(grammars.regex('a')).not.toBe(grammars.regex('b'));
  });

  it('stay usable in constraints after they were disposed of, and make no more', async () => {
    const own = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
    const constraint = own.regex('[ab]+').constraint();
    constraint.advance(97);
    own.dispose();
    own.dispose();
    expect(allowed(constraint)).toEqual([97, 98, END]);
    expect(refusal(() => own.regex('[ab]+'))).toMatchObject({ owner: 'Grammars', parameter: 'regex' });
    constraint.dispose();
    constraint.dispose();
    expect(refusal(() => constraint.mask()).message).toContain('in use before `dispose`, not after');
    expect(refusal(() => constraint.advance(97)).parameter).toBe('constraint');
  });

  it.each([
    ['endIds', { endIds: [] }, 'a non-empty array of integers in [0, 257)'],
    ['endIds[0]', { endIds: [257] }, 'an integer in [0, 257)'],
    ['endIds', { endIds: 256 as unknown as number[] }, 'a non-empty array of integers in [0, 257)'],
    ['vocabSize', { endIds: [END], vocabSize: 256 }, "an integer >= 257, the tokenizer's"],
    ['module', { endIds: [END], module: {} as XGrammarModule }, 'the module @mlc-ai/web-xgrammar'],
  ])('refuse wrong options: %s', async (parameter, options, domain) => {
    const failed = createGrammars({ tokenizer: BYTE_TOKENIZER, ...options });
    await expect(failed).rejects.toMatchObject({ owner: 'createGrammars', parameter, domain });
  });

  it('take the module that the caller loaded', async () => {
    const { module } = await loadXGrammar();
    const own = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END], module });
    expect(allowed(own.regex('[ab]').constraint())).toEqual([97, 98]);
    own.dispose();
  });

  it('refuse a module whose classes are read otherwise: another version', async () => {
    const { module } = await loadXGrammar();
    const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = module;
    const createTokenizerInfo: typeof TokenizerInfo.createTokenizerInfo = (texts, _, ...rest) =>
      TokenizerInfo.createTokenizerInfo(texts, 'raw', ...rest);
    const other = { GrammarCompiler, GrammarMatcher, TokenizerInfo: { createTokenizerInfo } };
    const failed = createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END], module: other });
    await expect(failed).rejects.toMatchObject({ parameter: '@mlc-ai/web-xgrammar', domain: 'version 0.1.27' });
  });
});

describe("xgrammar's abort", () => {
  it('becomes an error with its reason, and the next grammar is compiled', async () => {
    const engine = await createEngine(await loadXGrammar(), {
      bytes: [Uint8Array.of(97), new Uint8Array()],
      endIds: [1],
    });
    expect(() => engine.compile('root ::= "a" foo')).toThrow(
      /^EBNF parser error at line 1, column 14: Rule "foo" is not defined$/,
    );
    const matcher = engine.matcher(engine.compile('root ::= "a"'));
    const words = new Int32Array(1);
    engine.readMask(matcher, words);
    expect([...words]).toEqual([1]);
  });

  it('costs the grammars their instance: a new one takes its place, and constraints made before go on', async () => {
    const { module } = await loadXGrammar();
    let aborts = 1;
    const compilers = new Set<unknown>();
    const GrammarCompiler: XGrammarModule['GrammarCompiler'] = {
      async createGrammarCompiler(tokens, isCaching) {
        const compiler = await module.GrammarCompiler.createGrammarCompiler(tokens, isCaching);
        const compile = compiler.handle.CompileGrammar.bind(compiler.handle);
        compiler.handle.CompileGrammar = (grammar) => {
          compilers.add(compiler);
          if (compilers.size > 1 && grammarTextOf(grammar).includes('z') && aborts-- > 0) throw new Error('Aborted()');
          return compile(grammar);
        };
        return compiler;
      },
    };
    const own = await createGrammars({
      tokenizer: BYTE_TOKENIZER,
      endIds: [END],
      module: { ...module, GrammarCompiler },
    });
    const before = own.regex('[ab]+').constraint();
    const error = refusal(() => own.regex('[x-z]'));
    expect(error).toMatchObject({ owner: 'Grammars', parameter: 'regex', value: '[x-z]' });
    expect(error.domain).toBe('a grammar that xgrammar can compile (no reason given)');
    expect(allowed(own.regex('[cd]').constraint())).toEqual([99, 100]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(allowed(own.regex('[x-z]').constraint())).toEqual([120, 121, 122]);
    before.advance(97);
    expect(allowed(before)).toEqual([97, 98, END]);
  });
});

function grammarTextOf(grammar: unknown): string {
  return (grammar as { ToString(): string }).ToString();
}
