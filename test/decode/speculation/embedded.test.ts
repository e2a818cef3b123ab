/**
 * Speculation on the embedded model: greedy, every text is that of plain greedy generation, whoever drafts.
 */
import { describe, expect, it } from 'vitest';
import type { Drafter } from '../../../src/decode/speculation/draft.js';
import { generateSpeculative } from '../../../src/decode/speculation/generate-speculative.js';
import { ModelDrafter } from '../../../src/decode/speculation/model-drafter.js';
import { NgramTable } from '../../../src/decode/speculation/ngram-table.js';
import { NgramTableDrafter } from '../../../src/decode/speculation/ngram-table-drafter.js';
import { PromptLookupDrafter } from '../../../src/decode/speculation/prompt-lookup-drafter.js';
import { loadEmbedded } from '../../../src/embedded/index.js';
import { type GenerateResult, generate } from '../../../src/index.js';
import { casesOf } from '../../support/cases.js';
import { RememberedModel } from './remembered-model.js';
import { ScriptedDrafter } from './scripted-drafter.js';

const { model, tokenizer } = await loadEmbedded();

const OPENINGS = [
  ...['And it came to pass', 'In the beginning', 'Then said the king', 'Behold', 'The children of Israel'],
  ...['Blessed is he', 'And the sons of', 'Hear, O', 'Thus saith the LORD', 'Now when he had'],
  ...['For the earth', 'And the angel of', 'Woe unto', 'He that', 'By faith', 'And all the people'],
  ...['My son', 'The word of', 'Let us', 'And David said'],
];
const MIDDLES = [
  '',
  ' that',
  ' in the land of',
  ', and',
  ' unto',
  ' which',
  ' of the house of',
  ' shall',
  ' not',
  ': and',
];
/** All 200 in a long run, else a third of them: other middles for each opening. */
const PROMPTS = OPENINGS.flatMap((opening) => MIDDLES.map((middle) => opening + middle)).filter(
  (_, i) => i % casesOf(3, 1) === 0,
);

const PARAMS = [
  { temperature: 0, max_tokens: 7 },
  { temperature: 0, max_tokens: 7, repetition_penalty: 1.3, frequency_penalty: 0.4, stop: [' LORD', 'of the'] },
];

/** Everybody asks for the logits of the same texts; they are computed once. */
const remembered = new RememberedModel(model);

const table = new NgramTable(
  PROMPTS.map((prompt) => tokenizer.encode(`${prompt} the LORD, and the house of the LORD.`)),
);

type MakeDrafter = (plain: readonly number[], i: number) => Drafter;

const DRAFTERS: Readonly<Record<string, MakeDrafter>> = {
  'prompt lookup': () => new PromptLookupDrafter({ minNgram: 1 }),
  'an n-gram table': () => new NgramTableDrafter(table),
  'the model itself with other parameters': (_, i) => new ModelDrafter(remembered, OTHERS[i % 3]),
  'a script that is wrong now and then': wrongNowAndThen,
};
const OTHERS = [{ temperature: 0.5 }, { temperature: 0, presence_penalty: 3 }, { temperature: 0 }] as const;

/** Knows the text, and says something else at every fourth id. */
function wrongNowAndThen(ids: readonly number[]): Drafter {
  return new ScriptedDrafter(({ length }, count) =>
    ids
      .slice(length, length + count)
      .map((id, i) => ({ id: (length + i) % 4 === 3 ? (id + 1) % model.vocabSize : id })),
  );
}

describe('greedy speculation on the embedded model', () => {
  it('gives the text of plain greedy generation, token for token, whoever drafts', async () => {
    const plain: GenerateResult[] = [];
    const total = new Map(Object.keys(DRAFTERS).map((name) => [name, { accepted: 0, resampled: 0 }]));
    for (const [i, prompt] of PROMPTS.entries()) {
      const params = { seed: i, ...PARAMS[i % 2] };
      const right = await generate(remembered, tokenizer, prompt, params);
      plain.push(right);
      for (const [name, make] of Object.entries(DRAFTERS)) {
        const options = { drafter: make(right.ids, i), draftTokens: 1 + (i % 3) };
        const { speculation, ...rest } = await generateSpeculative(remembered, tokenizer, prompt, params, options);
        expect(rest, `${prompt}, drafts by ${name}`).toEqual(right);
        const sum = total.get(name) as { accepted: number; resampled: number };
        sum.accepted += speculation.accepted;
        sum.resampled += speculation.resampled;
      }
    }
    expect(new Set(PROMPTS).size).toBe(casesOf(67, 200));
    expect(new Set(plain.map(({ text }) => text)).size).toBeGreaterThan(PROMPTS.length / 2);
    expect(new Set(plain.map(({ stopped_by }) => stopped_by)).size).toBeGreaterThan(2);
    for (const [name, { accepted, resampled }] of total) {
      expect(accepted, name).toBeGreaterThan(PROMPTS.length / 10);
      expect(resampled, name).toBeGreaterThan(PROMPTS.length / 10);
    }
  });

  it.each(Object.entries(DRAFTERS))('does so with the model’s own cache, drafts by %s', async (_, make) => {
    for (let i = 0; i < PROMPTS.length; i += Math.ceil(PROMPTS.length / 4)) {
      const prompt = PROMPTS[i] as string;
      const params = { seed: i, ...PARAMS[0] };
      const right = await generate(remembered, tokenizer, prompt, params);
      const drafter = make(right.ids, i);
      const { speculation, ...rest } = await generateSpeculative(model, tokenizer, prompt, params, { drafter });
      expect(rest).toEqual(right);
      expect(speculation.targetCalls).toBeLessThanOrEqual(right.ids.length);
    }
  });
});

describe('speculative sampling on the embedded model', () => {
  it('accepts all that is drafted by the model itself with the same parameters', async () => {
    const params = { temperature: 0.8, top_p: 0.9, repetition_penalty: 1.2 };
    const drafter = new ModelDrafter(model, params);
    const request = { ...params, seed: 3, max_tokens: 30 };
    const { ids, speculation } = await generateSpeculative(model, tokenizer, 'And it came', request, { drafter });
    expect(ids).toHaveLength(30);
    expect(speculation).toMatchObject({ accepted: 24, resampled: 0, bonus: 6, targetCalls: 6, tokensPerCall: 5 });
  });

  it('goes on to the end of the context, and not beyond', async () => {
    const prompt = Array.from({ length: model.contextLength - 12 }, (_, i) => 2 + (i % 7));
    const drafter = new PromptLookupDrafter();
    const result = await generateSpeculative(model, tokenizer, prompt, { seed: 1, min_tokens: 50 }, { drafter });
    expect(result).toMatchObject({ finish_reason: 'length' });
    expect(result.ids).toHaveLength(11);
  });
});
