/**
 * Grammars that end in time: `close` holds a text to its budget, so that it is never cut in the middle.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { Constrained } from '../../processors/constraints/constrained.js';
import { createContainer, grammarModule } from '../../src/container/index.js';
import { createEngine, type Engine } from '../../src/grammar/engine/engine.js';
import type { GrammarConstraint } from '../../src/grammar/index.js';
import {
  beamSearch,
  createSampler,
  generate,
  generateSpeculative,
  PromptLookupDrafter,
  restoreGeneration,
} from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { allowed, BYTE_TOKENIZER, END } from '../support/byte-tokens.js';
import { casesOf } from '../support/cases.js';
import { embeddedGrammars } from './embedded-grammars.js';

const { embedded, grammars } = await embeddedGrammars();

/** A schema at random, with strings, numbers, choices, arrays and objects in one another. */
function randomSchema(random: Pcg32, depth: number): object {
  const kind = random.below(depth > 0 ? 8 : 5);
  if (kind === 0) return { type: 'string', ...(random.below(2) === 0 && { minLength: random.below(4), maxLength: 8 }) };
  if (kind === 1) return { type: 'integer', ...(random.below(2) === 0 && { minimum: 100, maximum: 90000 }) };
  if (kind === 2) return { enum: ['yes', 'no', 'perhaps, but later', 17, null].slice(random.below(4)) };
  if (kind === 3) return { type: ['boolean', 'null'] };
  if (kind === 4) return random.below(2) === 0 ? { type: 'number' } : { type: 'string', format: 'date' };
  if (kind === 5) {
    const minItems = random.below(4);
    return { type: 'array', items: randomSchema(random, depth - 1), minItems, maxItems: minItems + random.below(3) };
  }
  if (kind === 6) {
    const branch = () => ({ type: 'array', items: randomSchema(random, depth - 1), minItems: 1 + random.below(4) });
    return { anyOf: [branch(), { type: 'null' }, { type: 'object', properties: { a: branch() }, required: ['a'] }] };
  }
  const names = ['name', 'age', 'a', 'children', 'x y'].slice(random.below(4));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, randomSchema(random, depth - 1)])),
    required: names.filter(() => random.below(3) > 0),
    ...(random.below(2) === 0 && { additionalProperties: false }),
  };
}

/** The fewest ids that a refused budget names. */
function leastOf(schema: object): number {
  try {
    grammars.jsonSchema(schema).constraint({ close: 0 });
  } catch (error) {
    return Number(/at least (\d+)/.exec(String(error))?.[1]);
  }
  throw new Error('nothing was refused');
}

const textOf = (ids: readonly number[]) => Buffer.concat(ids.map((id) => embedded.tokenizer.tokenBytes(id))).toString();

/** Ids at random until the text ends, or the budget does. */
function wander(constraint: GrammarConstraint, random: Pcg32, within: number, each: () => void = () => {}): number[] {
  const ids: number[] = [];
  while (ids.length < within) {
    const next = allowed(constraint);
    expect(next.length).toBeGreaterThan(0);
    const id = next[random.below(next.length)] as number;
    constraint.advance(id);
    if (constraint.done) break;
    ids.push(id);
    each();
  }
  return ids;
}

/** How many schemas: CLOSINGS, or those of a usual and of a long run; 300 take a dozen seconds. */
const SCHEMAS = Number(process.env.CLOSINGS ?? casesOf(48, 300));

describe('texts that are to end in time', () => {
  it('do, whatever the schema and however few tokens there are, and fit the schema', () => {
    const random = new Pcg32(7n, 1n);
    const ajv = new Ajv2020({ strict: false, formats: { date: true } });
    let [cut, count] = [0, 0];
    for (let i = 0; i < SCHEMAS; i++) {
      const schema = randomSchema(random, 3);
      const within = leastOf(schema) + ([0, 1, 2, 5, 15, 40][i % 6] as number);
      const constraint = grammars.jsonSchema(schema).constraint({ close: within });
      const text = textOf(wander(constraint, random, within));
      expect({ schema, text, isComplete: constraint.isComplete() }).toEqual({ schema, text, isComplete: true });
      expect(ajv.validate(schema, JSON.parse(text)), `${JSON.stringify(schema)} ${text}`).toBe(true);
      if (constraint.report() !== undefined) cut++;
      count++;
      constraint.dispose();
    }
    expect(count).toBe(SCHEMAS);
    expect(cut).toBeGreaterThan(SCHEMAS / 2);
  });

  it('are the same from a saved place, and after going back', () => {
    const random = new Pcg32(8n, 1n);
    for (let i = 0; i < casesOf(10, 40); i++) {
      const schema = randomSchema(random, 3);
      const grammar = grammars.jsonSchema(schema);
      const within = leastOf(schema) + (i % 5);
      const constraint = grammar.constraint({ close: within });
      const places = [constraint.save()];
      const masks = [allowed(constraint)];
      wander(constraint, random, within, () => {
        const fresh = grammar.constraint({ close: true });
        fresh.restore(JSON.parse(JSON.stringify(constraint.save())));
        expect(allowed(fresh)).toEqual(allowed(constraint));
        expect(fresh.report()).toEqual(constraint.report());
        expect(fresh.save()).toEqual(constraint.save());
        fresh.dispose();
        places.push(constraint.save());
        masks.push(allowed(constraint));
      });
      for (const at of [places.length - 1, 0, places.length >> 1]) {
        constraint.restore(places[at] as never);
        expect(allowed(constraint)).toEqual(masks[at]);
      }
    }
  });

  it('are refused where the budget is below the fewest ids known, with their number', () => {
    const grammar = grammars.choice(['yesterday']);
    const least = embedded.tokenizer.encode('yesterday').length;
    expect(() => grammar.constraint({ close: least - 1 })).toThrow(
      `GrammarConstraint: \`close\` must be at least ${least}, the fewest ids known for a whole text, got ${least - 1}`,
    );
    expect(allowed(grammar.constraint({ close: least })).length).toBe(1);
    expect(() => grammar.constraint({ close: -1 })).toThrow('`close` must be true, false or an integer >= 0');
    expect(() => grammar.constraint({ close: true }).mask()).toThrow('`close` must be a number of ids, or true where');
    expect(() => grammar.constraint({ close: 20 }).restore([])).toThrow('`state` must be');
  });

  it('lose nothing where there is room, and say from where on they lose', () => {
    const grammar = grammars.lark('start: /a{0,20}b/');
    const [free, held] = [grammar.constraint(), grammar.constraint({ close: 6 })];
    const a = embedded.tokenizer.encode('a')[0] as number;
    for (let left = 6; left > 1; left--) {
      expect(allowed(held)).toEqual(allowed(free));
      for (const constraint of [free, held]) constraint.advance(a);
    }
    expect(held.report()).toBeUndefined();
    expect(allowed(free)).toContain(a);
    expect(allowed(held).map((id) => textOf([id]))).toEqual(['b', 'ab']);
    held.advance(embedded.tokenizer.encode('b')[0] as number);
    expect(held.report()).toEqual({ closing_from: 1 });
    expect(() => held.advance(a)).toThrow('`id` must be one that the grammar allows here');
  });
});

const SCHEMA = {
  type: 'object',
  properties: { who: { type: 'string' }, years: { type: 'array', items: { type: 'integer' } } },
  required: ['who', 'years'],
};
const chain = [
  { use: 'grammar', json_schema: SCHEMA, close: true },
  { use: 'temperature', temperature: 1.2 },
];

describe('a chain with a grammar that ends in time', () => {
  const container = () => createContainer(grammarModule(grammars));

  it('ends the text within max_tokens, and the result says so', async () => {
    const { model, tokenizer } = embedded;
    for (let seed = 0; seed < 6; seed++) {
      const options = { chain, container: container() };
      const result = await generate(model, tokenizer, 'He ', { max_tokens: 24, seed }, options);
      expect(Object.keys(JSON.parse(result.text))).toEqual(['who', 'years']);
      const { closing_from } = (result.reports?.grammar ?? {}) as { closing_from?: number };
      expect(closing_from === undefined || (closing_from > 0 && closing_from <= 24)).toBe(true);
    }
  });

  it('is refused before the model is asked where max_tokens are too few', () => {
    const { model, tokenizer } = embedded;
    const begin = () => generate(model, tokenizer, 'He ', { max_tokens: 3 }, { chain, container: container() });
    expect(begin).toThrow(/`max_tokens` must be at least \d+, the fewest ids known/);
  });

  it('goes on from where it was saved', async () => {
    const { model, tokenizer } = embedded;
    const options = () => ({ chain, container: container() });
    const whole = await generate(model, tokenizer, 'He ', { max_tokens: 20, seed: 4 }, options());
    for (const count of [1, 7, 13]) {
      const first = generate(model, tokenizer, 'He ', { max_tokens: 20, seed: 4 }, options());
      const events = first[Symbol.asyncIterator]();
      for (let i = 0; i < count; i++) await events.next();
      const state = JSON.parse(JSON.stringify(first.save()));
      await events.return();
      const rest = await restoreGeneration(model, tokenizer, state, { container: container() });
      expect([...whole.ids.slice(0, count), ...rest.ids]).toEqual(whole.ids);
      expect(rest.reports).toEqual(whole.reports);
    }
  });

  it('ends in time in beams and in speculation', async () => {
    const { model, tokenizer } = embedded;
    const steps = () => [new Constrained(grammars.jsonSchema(SCHEMA).constraint({ close: true }))];
    const beams = await beamSearch(model, 'He ', { num_beams: 3, max_tokens: 20 }, { tokenizer, before: steps() });
    for (const { ids } of beams.sequences) JSON.parse(textOf(ids.filter((id) => !model.endIds.includes(id))));
    const drafter = new PromptLookupDrafter();
    const params = { max_tokens: 20, seed: 3, temperature: 0 };
    const speculated = await generateSpeculative(model, tokenizer, 'He ', params, { drafter, before: steps() });
    const plainly = await generate(model, tokenizer, 'He ', params, { before: steps() });
    expect(speculated.text).toBe(plainly.text);
    expect(speculated.reports).toEqual(plainly.reports);
    JSON.parse(plainly.text);
  });

  it('is not made for a sampler that nobody tells a budget', () => {
    const sampler = createSampler({}, { chain, container: container() });
    const logits = new Float32Array(embedded.model.vocabSize);
    expect(() => sampler.sample(logits)).toThrow(/`close` must be a number of ids, or true where `budget` is called/);
    const own = [{ use: 'grammar', json_schema: SCHEMA, close: 20 }];
    expect(createSampler({}, { chain: own, container: container() }).sample(logits).id).toBeGreaterThanOrEqual(0);
  });
});

describe('the search for an end', () => {
  const lark = (text: string) => ({ kind: 'lark' as const, text });
  const textOfBytes = (ids: readonly number[] | undefined) => ids && Buffer.from(ids).toString();
  const open = async () => createEngine({ tokenizer: BYTE_TOKENIZER, endIds: [END] });

  function write(engine: Engine, closing: ReturnType<Engine['openClosing']>, text: string): void {
    for (const byte of new TextEncoder().encode(text)) expect(engine.advance(closing, byte)).toBe(true);
  }

  it('finds the shortest, here and after going back', async () => {
    const engine = await open();
    const closing = engine.openClosing(lark('start: "a" /x{3,9}/ "b" | "a" "cd" | "q" start'));
    expect(textOfBytes(engine.planClosing(closing))).toBe('acd');
    write(engine, closing, 'qax');
    expect(textOfBytes(engine.planClosing(closing))).toBe('xxb');
    expect(engine.advance(closing, 'c'.charCodeAt(0))).toBe(false);
    engine.rollback(closing, 1);
    expect(textOfBytes(engine.planClosing(closing))).toBe('cd');
    engine.rollback(closing, 2);
    expect(textOfBytes(engine.planClosing(closing))).toBe('acd');
  });

  it('allows what leaves at most so many, and nothing else', async () => {
    const engine = await open();
    const closing = engine.openClosing(lark('start: "a" | "bc" | "def" | "ghij"'));
    const words = new Int32Array(9);
    const letters = (left: number) => {
      engine.readClosingMask(closing, left, words);
      return [...'abcdefghij'].filter((c) => ((words[c.charCodeAt(0) >> 5] as number) >>> (c.charCodeAt(0) & 31)) & 1);
    };
    expect([3, 2, 1, 0, 3].map((left) => letters(left).join(''))).toEqual(['abdg', 'abd', 'ab', 'a', 'abdg']);
  });

  it('says so where there is no end within its steps', async () => {
    const engine = await open();
    const closing = engine.openClosing(lark('start: /[ab]{5000}/'));
    expect(engine.planClosing(closing)).toBeUndefined();
  });

  it('closes what is open in JSON', async () => {
    const engine = await open();
    const closing = engine.openClosing({ kind: 'json_schema', text: '{}' });
    write(engine, closing, '[{"a":["');
    expect(textOfBytes(engine.planClosing(closing))).toBe('"]}]');
  });
});
