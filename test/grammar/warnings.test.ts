/**
 * What a grammar does not enforce is in the result of every kind of generation, under the step's name, each time.
 */
import { describe, expect, it } from 'vitest';
import { Constrained } from '../../processors/constraints/constrained.js';
import { createContainer, grammarModule } from '../../src/container/index.js';
import type { EndEvent } from '../../src/decode/index.js';
import type { GrammarReport } from '../../src/grammar/index.js';
import {
  beamSearch,
  generate,
  generateChoices,
  generateMany,
  generateSpeculative,
  PromptLookupDrafter,
  restoreGeneration,
} from '../../src/index.js';
import { embeddedGrammars } from './embedded-grammars.js';

const { embedded, grammars } = await embeddedGrammars();

const SCHEMA = {
  type: 'array',
  items: { enum: [true, false], maxLenght: 3 },
  minItems: 2,
  maxItems: 3,
  uniqueItems: true,
};
const WARNINGS = [
  { keyword: 'uniqueItems', place: '/uniqueItems', reason: 'not enforced' },
  { keyword: 'maxLenght', place: '/items/maxLenght', reason: 'no keyword of JSON schemas, so an annotation' },
];
const REPORTS = { grammar: { warnings: WARNINGS } };
const CHAIN = [
  { use: 'grammar', json_schema: SCHEMA, unsupported: 'warn' },
  { use: 'temperature', temperature: 0.8 },
];
const PARAMS = { max_tokens: 24, seed: 5 };
const PROMPT = 'And ';

const container = () => createContainer(grammarModule(grammars));
const options = () => ({ chain: CHAIN, container: container() });

describe('the warnings of a grammar', () => {
  it('are in the result and in the last event of a generation', async () => {
    const { model, tokenizer } = embedded;
    const generation = generate(model, tokenizer, PROMPT, PARAMS, options());
    let end: EndEvent | undefined;
    for await (const event of generation) if (event.type === 'end') end = event;
    const result = await generation;
    expect(result.finish_reason).toBe('stop');
    expect(end?.reports).toEqual(REPORTS);
    expect(result.reports).toEqual(REPORTS);
    expect(JSON.parse(JSON.stringify(result)).reports).toEqual(REPORTS);
  });

  it('are in no result where there are none', async () => {
    const { model, tokenizer } = embedded;
    const plain = { container: container(), chain: [{ use: 'grammar', choice: ['yes', 'no'] }] };
    const generation = generate(model, tokenizer, PROMPT, PARAMS, plain);
    expect(Object.keys(await generation)).not.toContain('reports');
  });

  it('are in each result of several', async () => {
    const { model, tokenizer } = embedded;
    const choices = await generateChoices(model, tokenizer, PROMPT, { ...PARAMS, n: 2 }, options());
    expect(choices.map(({ reports }) => reports)).toEqual([REPORTS, REPORTS]);
    const request = { prompt: PROMPT, params: PARAMS, options: options() };
    const many = await generateMany(model, tokenizer, [request, { ...request, options: {} }, request]);
    const told = many.map((settled) => (settled.status === 'fulfilled' ? settled.value.reports : settled.reason));
    expect(told).toEqual([REPORTS, undefined, REPORTS]);
  });

  it('are in the result of speculation, as without', async () => {
    const { model, tokenizer } = embedded;
    const drafter = new PromptLookupDrafter();
    const { reports } = await generateSpeculative(model, tokenizer, PROMPT, PARAMS, { ...options(), drafter });
    expect(reports).toEqual(REPORTS);
  });

  it('are with each sequence of beams', async () => {
    const { model, tokenizer } = embedded;
    const params = { num_beams: 3, num_return_sequences: 3, max_tokens: 24 };
    const { sequences } = await beamSearch(model, PROMPT, params, { ...options(), tokenizer });
    expect(sequences.map(({ reports }) => reports)).toEqual([REPORTS, REPORTS, REPORTS]);
    const greedy = await beamSearch(model, PROMPT, { max_tokens: 24 }, { ...options(), tokenizer });
    expect(greedy.sequences[0]?.reports).toEqual(REPORTS);
  });

  it('are in the result of a restored generation, from its beginning, its middle and its end', async () => {
    const { model, tokenizer } = embedded;
    const generation = generate(model, tokenizer, PROMPT, PARAMS, options());
    const states = [generation.save()];
    for await (const _ of generation) states.push(generation.save());
    for (const state of [states[0], states[3], states.at(-2), states.at(-1)]) {
      const saved = JSON.parse(JSON.stringify(state));
      expect((await restoreGeneration(model, tokenizer, saved, { container: container() })).reports).toEqual(REPORTS);
    }
  });

  it('are in the result where the grammar is given as an object, and again at each restore', async () => {
    const { model, tokenizer } = embedded;
    const step = () => {
      const grammar = grammars.jsonSchema(SCHEMA, { unsupported: 'warn' });
      return new Constrained(grammar.constraint(), { name: 'answer' });
    };
    const generation = generate(model, tokenizer, PROMPT, PARAMS, { before: [step()] });
    const state = generation.save();
    expect((await generation).reports).toEqual({ answer: { warnings: WARNINGS } });
    const restored = restoreGeneration(model, tokenizer, state, { steps: [step()] });
    expect((await restored).reports).toEqual({ answer: { warnings: WARNINGS } });
  });

  it('stand beside what is said of the budget', async () => {
    const { model, tokenizer } = embedded;
    const chain = [{ ...CHAIN[0], close: true, use: 'grammar' }];
    const short = { max_tokens: 9, seed: 5 }; // the fewest with which two items end
    const { reports, text } = await generate(model, tokenizer, PROMPT, short, { chain, container: container() });
    expect(JSON.parse(text)).toHaveLength(2);
    const report = reports?.grammar as GrammarReport | undefined;
    expect(report?.warnings).toEqual(WARNINGS);
    expect(report?.closing_from).toBeGreaterThan(0);
  });

  it('of two grammars in one chain are both there', async () => {
    const { model, tokenizer } = embedded;
    const chain = [CHAIN[0] as object & { use: string }, { use: 'grammar', json_schema: { type: 'array', mx: 1 } }];
    const { reports } = await generate(model, tokenizer, PROMPT, PARAMS, { chain, container: container() });
    expect(reports).toEqual({
      ...REPORTS,
      'grammar 2': { warnings: [{ keyword: 'mx', place: '/mx', reason: WARNINGS[1]?.reason }] },
    });
  });

  it('are copies: what a user does to them is in no other result', async () => {
    const grammar = grammars.jsonSchema(SCHEMA, { unsupported: 'warn' });
    const { warnings } = grammar.constraint().report() as { warnings: object[] };
    Object.assign(warnings[0] as object, { reason: 'none' });
    warnings.pop();
    expect(grammar.constraint().report()).toEqual({ warnings: WARNINGS });
    expect(() => Object.assign(grammar.warnings[0] as object, { reason: 'none' })).toThrow(TypeError);
  });
});
