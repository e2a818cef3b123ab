/**
 * The engine below the grammars: an instance that dies, matchers that others need the room of, memory.
 */
import { describe, expect, it } from 'vitest';
import { createEngine, type Engine, type GrammarSource } from '../../src/grammar/engine/engine.js';
import { EngineRefusal } from '../../src/grammar/engine/instance.js';
import { bytesOfWords, readWords } from '../../src/grammar/engine/words.js';
import { Grammar, type GrammarConstraint } from '../../src/grammar/index.js';
import { InvalidValueError } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { allowed, BYTE_TOKENIZER, END } from '../support/byte-tokens.js';
import { casesOf } from '../support/cases.js';

/** More than a thousand: GRAMMARS, or those of a usual and of a long run; 10,000 take ten seconds. */
const GRAMMARS = Number(process.env.GRAMMARS ?? casesOf(1500, 10_000));
const OPTIONS = { tokenizer: BYTE_TOKENIZER, endIds: [END] };
/** Characters of two bytes where a list of names is expected: the engine cuts within one of them, and traps. */
const DEADLY: GrammarSource = {
  kind: 'json_schema',
  text: JSON.stringify({ type: 'object', required: 'é'.repeat(100) }),
};

const lark = (text: string): GrammarSource => ({ kind: 'lark', text });

function kill(engine: Engine): void {
  expect(() => engine.compile(DEADLY)).toThrow(EngineRefusal);
}

function write(constraint: GrammarConstraint, text: string): void {
  for (const byte of new TextEncoder().encode(text)) constraint.advance(byte);
}

/** Letters at random, each of which makes a new state of the lexer. */
function wander(constraint: GrammarConstraint, steps = 40_000): void {
  const random = new Pcg32(1n, 1n);
  write(constraint, 'x');
  for (let i = 0; i < steps; i++) constraint.advance(97 + random.below(2));
}

function refusalOf(act: () => void): InvalidValueError {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('an instance that dies', () => {
  it('is replaced: grammars and constraints made before go on as if nothing had been', async () => {
    const engine = await createEngine(OPTIONS);
    const grammar = new Grammar(engine, lark('start: /[a-c]{2}d/ "!"?'));
    const [constraint, ended, other] = [grammar.constraint(), grammar.constraint(), grammar.constraint()];
    write(constraint, 'ab');
    write(ended, 'abd');
    ended.advance(END);
    kill(engine);
    expect(allowed(constraint)).toEqual([100]);
    kill(engine);
    write(constraint, 'd');
    expect(allowed(constraint)).toEqual([33, END]);
    expect([ended.done, ended.isComplete(), allowed(ended)]).toEqual([true, true, []]);
    kill(engine);
    expect(allowed(other)).toEqual([97, 98, 99]);
    expect(allowed(grammar.constraint())).toEqual([97, 98, 99]);
    expect(allowed(new Grammar(engine, lark('start: "x"')).constraint())).toEqual([120]);
  });

  it('gives a mask read before no other bits, and goes back to any place', async () => {
    const engine = await createEngine(OPTIONS);
    const constraint = new Grammar(engine, lark('start: /[a-c]{4}/')).constraint();
    write(constraint, 'abc');
    const before = [...constraint.mask()];
    kill(engine);
    expect([...constraint.mask()]).toEqual(before);
    constraint.restore([97]);
    kill(engine);
    constraint.restore([97, 98, 99, 97, END]);
    expect([constraint.done, constraint.save()]).toEqual([true, [97, 98, 99, 97, END]]);
  });
});

describe('matchers', () => {
  it('are given back when others need the room, and made again when they are used', async () => {
    const engine = await createEngine(OPTIONS);
    const grammar = new Grammar(engine, lark('start: /[a-z]+[0-9]/'));
    const constraints = Array.from({ length: 600 }, (_, i) => {
      const constraint = grammar.constraint();
      write(constraint, i % 2 === 0 ? 'a' : 'ab3');
      return constraint;
    });
    const full = engine.memoryBytes;
    constraints.forEach((constraint, i) => {
      expect(allowed(constraint).length).toBe(i % 2 === 0 ? 36 : 1);
    });
    expect(engine.memoryBytes).toBeLessThan(1.2 * full);
  });

  it('that meet a limit end with an error that names the grammar, at the same id each time; places before go on', async () => {
    const engine = await createEngine(OPTIONS);
    const grammar = new Grammar(engine, lark('start: "x" (/(a|b)*a(a|b){20}c/ | "y")'));
    const lengths = [0, 1].map(() => {
      const constraint = grammar.constraint();
      const error = refusalOf(() => wander(constraint));
      expect(error).toMatchObject({ owner: 'GrammarConstraint', parameter: 'grammar' });
      expect(error.domain).toMatch(/^one that the engine can follow here \(.*too many states/);
      const { length } = constraint.save() as number[];
      constraint.restore([120]);
      expect(allowed(constraint)).toEqual([97, 98, 121]);
      return length;
    });
    expect(lengths[0]).toBeGreaterThan(1000);
    expect(lengths[1]).toBe(lengths[0]);
  });

  it('go to a place far on, all states of which are new, as they went there id by id', async () => {
    const engine = await createEngine(OPTIONS);
    const grammar = new Grammar(engine, lark('start: "x" (/(a|b)*a(a|b){20}c/ | "y")'));
    const [walking, jumping] = [grammar.constraint(), grammar.constraint()];
    wander(walking, 10_000);
    jumping.restore(walking.save());
    expect(allowed(jumping)).toEqual(allowed(walking));
  });

  it('are freed by `dispose`, after which the constraint refuses to go on', async () => {
    const engine = await createEngine(OPTIONS);
    const grammar = new Grammar(engine, lark('start: /a*/'));
    const constraint = grammar.constraint();
    constraint.mask();
    constraint.dispose();
    constraint.dispose();
    for (const act of [() => constraint.advance(97), () => constraint.isComplete(), () => constraint.restore([])]) {
      expect(act).toThrow(/`constraint` must be in use before `dispose`, not after/);
    }
    expect(allowed(grammar.constraint())).toEqual([97, END]);
  });

  it('are cloned with their place, and then go their own ways', async () => {
    const engine = await createEngine(OPTIONS);
    const constraint = new Grammar(engine, lark('start: /a?b?c?/')).constraint();
    write(constraint, 'a');
    const copy = constraint.clone();
    write(copy, 'b');
    expect([allowed(constraint), allowed(copy)]).toEqual([
      [98, 99, END],
      [99, END],
    ]);
    expect([constraint.save(), copy.save()]).toEqual([[97], [97, 98]]);
  });
});

describe('memory', () => {
  it('does not grow from the first thousand grammars on, though nothing is disposed of', async () => {
    const engine = await createEngine(OPTIONS);
    let early = 0;
    for (let i = 0; i < GRAMMARS; i++) {
      const grammar = new Grammar(engine, lark(`start: "${i}" /[a-z]+/`));
      const constraint = grammar.constraint();
      constraint.advance(String(i).charCodeAt(0));
      if (constraint.mask().every((word) => word === 0)) throw new Error(`nothing may follow in grammar ${i}`);
      if (i === 1000) early = engine.memoryBytes;
    }
    expect(early).toBeGreaterThan(0);
    expect(engine.memoryBytes).toBeLessThanOrEqual(early + 2 ** 20);
  });

  it('grows by a sixteenth of itself at least: browsers and Node collect garbage each time that it does', async () => {
    const engine = await createEngine(OPTIONS);
    const sizes = [engine.memoryBytes];
    const kept = Array.from({ length: 250 }, (_, i) => {
      const place = engine.compile(lark(`start: "${i}" /[a-z]+/`));
      sizes.push(engine.memoryBytes);
      return place;
    });
    const ratios = sizes.slice(1).map((size, i) => size / (sizes[i] as number));
    const grown = ratios.filter((ratio) => ratio > 1);
    expect(grown.length).toBeGreaterThan(2);
    expect(Math.min(...grown)).toBeGreaterThanOrEqual(17 / 16);
    expect(kept.every((place) => engine.isUsable(place))).toBe(true);
  });

  it('is read and written as little-endian words, whatever the machine', () => {
    const bytes = bytesOfWords([0, 0x01020304, 0xfffffffe, 0]);
    expect([...bytes]).toEqual([0, 0, 0, 0, 4, 3, 2, 1, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    for (const isNative of [false, undefined]) {
      const words = new Int32Array(2);
      readWords(bytes.buffer as ArrayBuffer, 4, words, isNative);
      expect([...words]).toEqual([0x01020304, -2]);
    }
  });
});

describe('forced bytes', () => {
  it('are those that every text goes on with; asking for them changes nothing', async () => {
    const engine = await createEngine(OPTIONS);
    const text = JSON.stringify({
      type: 'object',
      properties: { name: { enum: ['anna', 'anton'] } },
      required: ['name'],
      additionalProperties: false,
      'x-guidance': { whitespace_flexible: false },
    });
    const constraint = new Grammar(engine, { kind: 'json_schema', text }).constraint();
    const forced = () => new TextDecoder().decode(constraint.forcedBytes());
    expect(forced()).toMatch(/^\{"name": ?"an$/);
    const before = [...constraint.mask()];
    expect([...constraint.mask()]).toEqual(before);
    write(constraint, forced());
    expect(forced()).toBe('');
    write(constraint, 't');
    expect(forced()).toBe('on"}');
    write(constraint, 'on"}');
    expect([forced(), constraint.isComplete(), allowed(constraint)]).toEqual(['', true, [END]]);
  });
});
