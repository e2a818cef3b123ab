/**
 * D9: logprobs of the prompt, and scoring without a token.
 */
import { describe, expect, it } from 'vitest';
import { validateGeneration } from '../../src/decode/index.js';
import { loadEmbedded } from '../../src/embedded/index.js';
import {
  type GenerationParamsInput,
  generate,
  generateChoices,
  generateSpeculative,
  PromptLookupDrafter,
  restoreGeneration,
} from '../../src/index.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const V = 6;
const letters = new PieceTokenizer(['a', 'b', 'c', 'd', 'e', '']);
const PROMPT = [2, 0, 0, 3, 1];

function logitsAfter(ids: readonly number[]): number[] {
  const random = new Pcg32(ids.reduce((hash, id) => (hash * 31 + id + 1) % 1_000_003, 7));
  return Array.from({ length: V }, () => Math.fround(random.uniform() * 6 - 3));
}

function model(beginId?: number, contextLength = 50): ScriptedModel {
  return new ScriptedModel(V, contextLength, [], logitsAfter, beginId);
}

/** What the spec's formulas give for the raw logits: ln of the softmax, in ascending order of the ids, and its entropy. */
function plain(logits: readonly number[]): { logprobs: number[]; entropy: number } {
  const max = Math.max(...logits);
  const exps = logits.map((l) => exactNumerics.exp(l - max));
  const total = exps.reduce((sum, e) => sum + e, 0);
  const logprobs = logits.map((l) => l - max - exactNumerics.log(total));
  const entropy = -exps.reduce((sum, e, i) => sum + (e / total) * (logprobs[i] as number), 0);
  return { logprobs, entropy };
}

const SCORE: GenerationParamsInput = { max_tokens: 0, echo: true, logprobs: 2 };

describe.each([{ beginId: undefined }, { beginId: 5 }])('scoring with the begin token $beginId', ({ beginId }) => {
  const begin = beginId === undefined ? [] : [beginId];
  const first = beginId === undefined ? 1 : 0;

  it('gives the logprob, the most likely ids and the entropy in the place of each id, and generates nothing', async () => {
    const result = await generate(model(beginId), letters, PROMPT, SCORE);
    expect(result).toMatchObject({ text: 'caadb', ids: [], finish_reason: 'length', length_by: 'max_tokens' });
    expect(result.usage).toEqual({ prompt_tokens: 5, completion_tokens: 0 });
    const { prompt } = result;
    expect(prompt?.ids).toEqual(PROMPT);
    PROMPT.forEach((id, i) => {
      const [logprob, top, entropy] = [prompt?.logprobs[i], prompt?.topLogprobs[i], prompt?.entropies[i]];
      if (i < first) {
        expect([logprob, top, entropy]).toEqual([null, null, null]);
        return;
      }
      const { logprobs, entropy: wanted } = plain(logitsAfter([...begin, ...PROMPT.slice(0, i)]));
      expect(logprob).toBe(logprobs[id]);
      expect(entropy).toBeCloseTo(wanted, 12);
      const best = [...logprobs.keys()].sort((a, b) => (logprobs[b] as number) - (logprobs[a] as number)).slice(0, 2);
      const ids = best.includes(id) ? best : [...best, id];
      expect(top?.map((one) => [one.id, one.logprob])).toEqual(ids.map((one) => [one, logprobs[one]]));
    });
  });

  it('asks the model once for each id, the last one not at all, and closes the session', async () => {
    const asked = model(beginId);
    await generate(asked, letters, PROMPT, SCORE);
    expect(asked.appended).toEqual([...begin, ...PROMPT.slice(0, -1)].map((id) => [id]));
    expect([asked.opened, asked.closed]).toEqual([1, 1]);
  });

  it('is the same bits from a session that takes several at once', async () => {
    const blocks = new ScriptedModel(V, 50, [], logitsAfter, beginId, { givesEach: true });
    const long = Array.from({ length: 40 }, (_, i) => (i * i) % 5);
    const [a, b] = [await generate(blocks, letters, long, SCORE), await generate(model(beginId), letters, long, SCORE)];
    expect(a.prompt).toEqual(b.prompt);
    expect(a.prompt?.logprobs.filter((x) => x !== null)).toHaveLength(40 - first);
  });

  it('is of the model itself: penalties, bias, temperature and filters do not change it', async () => {
    const policy = { temperature: 0.3, top_k: 1, repetition_penalty: 3, presence_penalty: 2, logit_bias: { 1: 5 } };
    const plainly = await generate(model(beginId), letters, PROMPT, SCORE);
    expect((await generate(model(beginId), letters, PROMPT, { ...SCORE, ...policy })).prompt).toEqual(plainly.prompt);
  });

  it('comes before the tokens, which are those without it', async () => {
    const params = { seed: 4, max_tokens: 5, logprobs: 2 };
    const asked = model(beginId);
    const scored = await generate(asked, letters, PROMPT, { ...params, echo: true });
    const { prompt: _, ...rest } = scored;
    expect(rest).toEqual({ ...(await generate(model(beginId), letters, PROMPT, params)), text: rest.text });
    expect(asked.opened).toBe(1);
    expect(asked.appended.flat()).toEqual([...begin, ...PROMPT, ...scored.ids.slice(0, -1)]);
    expect(scored.prompt).toEqual((await generate(model(beginId), letters, PROMPT, SCORE)).prompt);
  });

  it('is in the event of the prompt, and comes again from a state before it', async () => {
    const generation = generate(model(beginId), letters, PROMPT, SCORE);
    const saved = JSON.parse(JSON.stringify(generation.save()));
    const { value } = await generation[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ type: 'prompt', text: 'caadb', prompt: { ids: PROMPT } });
    expect((await restoreGeneration(model(beginId), letters, saved)).prompt).toEqual((await generation).prompt);
  });
});

describe('a prompt', () => {
  it('has no logprobs without echo, or without logprobs', async () => {
    expect(await generate(model(), letters, PROMPT, { logprobs: 2, max_tokens: 1 })).not.toHaveProperty('prompt');
    const silent = model();
    expect(await generate(silent, letters, PROMPT, { echo: true, max_tokens: 0 })).not.toHaveProperty('prompt');
    expect(silent.opened).toBe(0);
  });

  it('that is empty, or one id, or as long as the context, is scored as far as it goes', async () => {
    expect((await generate(model(5), letters, [], SCORE)).prompt).toMatchObject({ ids: [], logprobs: [] });
    expect((await generate(model(), letters, [3], SCORE)).prompt).toMatchObject({ ids: [3], logprobs: [null] });
    const full = await generate(model(5, 6), letters, PROMPT, { ...SCORE, max_tokens: 3 });
    expect(full).toMatchObject({ length_by: 'context', ids: [] });
    expect(full.prompt?.logprobs).toHaveLength(5);
  });

  it('that slides away before it is scored is refused', () => {
    const options = { whenFull: 'slide' } as const;
    expect(() => generate(model(5, 5), letters, PROMPT, SCORE, options)).toRefuse(
      'generate: `prompt` must be at most 4 ids where it has logprobs, got 5',
    );
    expect(() => generate(model(5, 5), letters, PROMPT, { echo: true }, options)).not.toThrow();
  });

  it('that the model finds impossible has the logprob -Infinity', async () => {
    const sure = new ScriptedModel(V, 50, [], () => [0, -Infinity, -Infinity, -Infinity, -Infinity, -Infinity]);
    const { prompt } = await generate(sure, letters, [0, 0, 1], SCORE);
    expect(prompt).toMatchObject({ logprobs: [null, 0, -Infinity], entropies: [null, 0, 0] });
  });

  it('is scored for each of several texts, and aborted like any other work', async () => {
    const texts = await generateChoices(model(), letters, PROMPT, { ...SCORE, n: 2 });
    expect(texts[0]?.prompt).toEqual(texts[1]?.prompt);
    const signal = AbortSignal.abort(new Error('enough'));
    const aborted = model();
    await expect(generate(aborted, letters, PROMPT, SCORE, { signal })).rejects.toThrow('enough');
    expect(aborted.opened).toBe(aborted.closed);
  });

  it('of the embedded model is scored as the model draws', async () => {
    const { model: embedded, tokenizer } = await loadEmbedded();
    const drawn = await generate(embedded, tokenizer, [], { seed: 3, max_tokens: 12, logprobs: 1 });
    const scored = await generate(embedded, tokenizer, drawn.ids, { ...SCORE, logprobs: 1 });
    expect(scored.prompt?.logprobs).toEqual(drawn.logprobs);
    expect(scored.prompt?.entropies).toEqual(drawn.entropies);
  });
});

describe('max_tokens of 0', () => {
  it.each([{}, { logprobs: 3 }])('is refused without echo: %o', (params) => {
    expect(() => validateGeneration({ max_tokens: 0, ...params })).toRefuse(
      'GenerationParams: `max_tokens` must be an integer >= 1, or 0 with echo, got 0',
    );
  });

  it('is refused by speculation, which has no echo, and by the parameters of sampling', async () => {
    const drafter = new PromptLookupDrafter();
    expect(() => generateSpeculative(model(), letters, PROMPT, SCORE, { drafter })).toThrow('`echo` must be false');
    const { validate } = await import('../../src/spec.js');
    expect(() => validate({ max_tokens: 0 })).toThrow('`max_tokens` must be an integer >= 1, got 0');
  });
});
