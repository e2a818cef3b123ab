/**
 * Constraints made of grammars: tokens of several characters and of parts of one, places, refusals.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';
import { InvalidValueError } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { allowed } from '../support/byte-tokens.js';
import { PieceTokenizer } from '../support/scripted-model.js';

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

const lark = (text: string) => grammars.lark(text);
const ids = allowed;

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
    const mask = lark('start: /a/').constraint().mask();
    expect(mask).toBeInstanceOf(Int32Array);
    expect(mask.length).toBe(3);
  });

  it('allows tokens by their bytes, those with the same bytes alike', () => {
    expect(ids(lark('start: /a+b?/').constraint())).toEqual([0, 2, 11]);
    expect(ids(lark('start: /(ab)+/').constraint())).toEqual([0, 2, 11]);
    expect(ids(lark('start: /b.*/').constraint())).toEqual([1, 3]);
  });

  it('allows a part of a character where the rest may follow, and then the rest', () => {
    const constraint = lark('start: /€a?/').constraint();
    expect(ids(constraint)).toEqual([4, 7, 10]);
    constraint.advance(4);
    expect(ids(constraint)).toEqual([5, 8]);
    constraint.advance(5);
    expect(ids(constraint)).toEqual([6, 9]);
    constraint.advance(9);
    expect(ids(constraint)).toEqual([STOP, OTHER_STOP]);
  });

  it('never allows a token without text, an id beyond the tokenizer, or bytes that are no UTF-8', () => {
    const constraint = lark('start: /(.|\\n)*/').constraint();
    const never = [SPECIAL, 14, 16, 31, 32, 69];
    expect(ids(constraint).filter((id) => never.includes(id))).toEqual([]);
    for (const id of never) expect(refusal(() => constraint.advance(id))).toMatchObject({ parameter: 'id', value: id });
    expect(ids(constraint)).toEqual([0, 1, 2, 3, 4, 7, 10, 11, STOP, OTHER_STOP]);
  });

  it('allows every end id exactly where the text is complete', () => {
    const constraint = lark('start: /a(ba)?/').constraint();
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
    const constraint = lark('start: /a/').constraint();
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
    const constraint = lark('start: /ab/').constraint();
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
    const grammar = lark('start: /(a|b){4}/');
    const [one, other] = [grammar.constraint(), grammar.constraint()];
    one.advance(0);
    one.advance(2);
    expect(ids(one)).toEqual([0, 1, 11]);
    expect(ids(other)).toEqual([0, 1, 2, 3, 11]);
  });
});

describe('the place of a grammar constraint', () => {
  it('is the list of its ids, as JSON, and no array of its own', () => {
    const constraint = lark('start: /a+/').constraint();
    constraint.advance(0);
    const state = constraint.save();
    constraint.advance(11);
    expect(JSON.parse(JSON.stringify(state))).toEqual([0]);
    expect(constraint.save()).toEqual([0, 11]);
  });

  it('comes back from anywhere: the masks are those of a constraint that went there', () => {
    const grammar = lark('start: "a" start "b" | "€"?');
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
    const constraint = lark('start: /ab/').constraint();
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
