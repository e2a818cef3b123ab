/**
 * A generation hands out each event once: whoever comes afterwards is told so (C4).
 */
import { describe, expect, it } from 'vitest';
import { loadEmbedded } from '../../src/embedded/index.js';
import { generate, generateSpeculative, PromptLookupDrafter } from '../../src/index.js';

const { model, tokenizer } = await loadEmbedded();
const params = { max_tokens: 3, seed: 7 };
const SAYS = 'Generation: `iteration` must be begun before the run is over (each event is handed out once';

describe('a generation that is over', () => {
  it('refuses to be iterated, by for await and as a stream, and is still awaited for its whole', async () => {
    const generation = generate(model, tokenizer, 'And', params);
    const { text } = await generation;
    expect(() => generation[Symbol.asyncIterator]()).toThrow(SAYS);
    expect(() => generation.toReadableStream()).toThrow(SAYS);
    expect((await generation).text).toBe(text);
  });

  it('refuses to be iterated after it was left', async () => {
    const generation = generate(model, tokenizer, 'And', params);
    for await (const _ of generation) break;
    expect(() => generation[Symbol.asyncIterator]()).toThrow(SAYS);
  });

  it('says again what it failed with', async () => {
    const generation = generate(model, tokenizer, 'And', params, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(generation).rejects.toThrow('enough');
    expect(() => generation[Symbol.asyncIterator]()).toThrow('enough');
  });

  it('refuses to be iterated when it was speculative', async () => {
    const drafter = new PromptLookupDrafter();
    const generation = generateSpeculative(model, tokenizer, 'And', params, { drafter, draftTokens: 2 });
    await generation;
    expect(() => generation[Symbol.asyncIterator]()).toThrow('`iteration` must be begun before the run is over');
  });
});
