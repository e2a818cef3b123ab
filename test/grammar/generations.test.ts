/**
 * Texts of the embedded model under twenty grammars: each fits, for judges that know nothing of grammars.
 */
import { describe, expect, it } from 'vitest';
import { Constrained } from '../../processors/constraints/constrained.js';
import { createContainer, grammarModule } from '../../src/container/index.js';
import type { Grammar } from '../../src/grammar/index.js';
import { type GenerateResult, generate } from '../../src/index.js';
import { casesOf } from '../support/cases.js';
import { embeddedGrammars } from './embedded-grammars.js';
import { LANGUAGES, type Language } from './languages.js';

/** Of each grammar, half of them as a step and half as a chain: with each prompt and temperature twice. */
const RUNS = casesOf(8, 15);
const MAX_TOKENS = 30;
const PROMPTS = ['', 'And', '{"', 'In 1611'];
const TEMPERATURES = [0, 0.7, 1, 1.5];

const { embedded, grammars } = await embeddedGrammars();
const finished: Record<string, number> = { stop: 0, length: 0 };

/** Every other run is given the grammar as a step in front of the spec's chain, the others as a chain as data. */
function run(language: Language, i: number): PromiseLike<GenerateResult> {
  const grammar = language.grammar(grammars);
  const { model, tokenizer } = embedded;
  const prompt = PROMPTS[i % PROMPTS.length] as string;
  const temperature = TEMPERATURES[i % TEMPERATURES.length] as number;
  const request = { seed: i, max_tokens: MAX_TOKENS };
  if (i % 2 === 0) {
    const before = [new Constrained(grammar.constraint())];
    return generate(model, tokenizer, prompt, { ...request, temperature, repetition_penalty: 1.05 }, { before });
  }
  const chain = [
    { use: 'grammar', ...language.data },
    { use: 'temperature', temperature },
    { use: 'top-p', p: 0.95 },
  ];
  return generate(model, tokenizer, prompt, request, { chain, container: createContainer(grammarModule(grammars)) });
}

/** A text that was cut may still become one of the language: a fresh constraint takes every id of it. */
function checkCut(grammar: Grammar, ids: readonly number[]): void {
  const constraint = grammar.constraint();
  for (const id of ids) constraint.advance(id);
  expect(constraint.mask().some((word) => word !== 0)).toBe(true);
  constraint.dispose();
}

describe('the embedded model', () => {
  it.each(LANGUAGES.map((language) => [language.name, language] as const))('writes %s', async (_, language) => {
    for (let i = 0; i < RUNS; i++) {
      const { text, ids, logprobs, finish_reason } = await run(language, i);
      finished[finish_reason] = (finished[finish_reason] ?? 0) + 1;
      if (finish_reason === 'stop') expect([text, language.holds(text)]).toEqual([text, true]);
      else checkCut(language.grammar(grammars), ids);
      expect(text).not.toContain('\ufffd');
      expect(logprobs.every((logprob) => logprob <= 0)).toBe(true);
    }
  });

  it('has ended most of the texts by itself', () => {
    const all = LANGUAGES.length * RUNS;
    expect((finished.stop as number) + (finished.length as number)).toBe(all);
    expect(finished.stop).toBeGreaterThan((2 / 3) * all);
  });
});
