import { describe, expect, it } from 'vitest';
import { validateGeneration } from '../../src/decode/index.js';
import { beamSearch, generate, generateChoices, NgramTable } from '../../src/index.js';
import { PieceTokenizer, ScriptedModel, saying } from '../support/scripted-model.js';

const letters = new PieceTokenizer(['a', 'b', 'c', '']);

function letterModel(): ScriptedModel {
  return new ScriptedModel(4, 50, [3], () => [0, 1, 2, 3], undefined);
}

describe('ids in typed arrays (D2)', () => {
  it.each([Int32Array.of(0, 1, 2), Uint16Array.of(0, 1, 2), Float64Array.of(0, 1, 2)])(
    'are a prompt like any other, echoed whole: %o',
    async (prompt) => {
      const model = letterModel();
      const result = await generate(model, letters, prompt, { echo: true, temperature: 0 });
      expect(result.text).toBe('abc');
      expect(result.usage.prompt_tokens).toBe(3);
      expect(model.appended).toStrictEqual([[0, 1, 2]]);
    },
  );

  it('are what a tokenizer may give', async () => {
    const typed = {
      vocabSize: 4,
      encode: (text: string) => Int32Array.from(letters.encode(text)),
      tokenBytes: (id: number) => letters.tokenBytes(id),
    };
    const model = letterModel();
    await generate(model, typed, 'ab', { temperature: 0 });
    expect(model.appended).toStrictEqual([[0, 1]]);
    await beamSearch(model, 'ba', { max_tokens: 1 }, { tokenizer: typed });
    expect(model.appended[1]).toStrictEqual([1, 0]);
  });

  it('end texts and make tables', async () => {
    const params = validateGeneration({ stop_token_ids: Int32Array.of(2) });
    expect(params.stop_token_ids).toStrictEqual([2]);
    const { sequences } = await beamSearch(letterModel(), Int32Array.of(0), { eos_token_id: Uint8Array.of(3) });
    expect(sequences[0]).toMatchObject({ ids: [3], finish_reason: 'stop' });
    expect(new NgramTable([Int32Array.of(0, 1, 2)]).next(Int32Array.of(0, 1))).toBe(2);
  });

  it('are refused by name where they hold bigints', () => {
    const bigints = BigInt64Array.of(1n) as never;
    expect(() => generate(letterModel(), letters, bigints)).toRefuse(
      'generate: `prompt[0]` must be an integer in [0, 4), got 1n',
    );
    expect(() => validateGeneration({ stop_token_ids: bigints })).toRefuse(
      'GenerationParams: `stop_token_ids[0]` must be an integer >= 0, got 1n',
    );
  });

  it('are copied: a prompt that is written afterwards changes nothing', async () => {
    const prompt = Int32Array.of(0, 1);
    const model = letterModel();
    const texts = generateChoices(model, letters, prompt, { n: 2, echo: true, temperature: 0 });
    prompt[0] = 2;
    expect((await texts).map(({ text }) => text)).toStrictEqual(['ab', 'ab']);
  });
});

describe('a character that is split between prompt and output (D7)', () => {
  const pieces = ['a', [0xf0, 0x9f], [0x98, 0x80], 'b'];
  const said = () => saying(pieces);

  it('comes out whole with echo, held back until it is', async () => {
    const { model, tokenizer } = said();
    const text: string[] = [];
    for await (const event of generate(model, tokenizer, [0, 1], { echo: true })) text.push(event.text);
    expect(text).toStrictEqual(['a', '😀', 'b', '']);
  });

  it('comes out whole from a generation that was saved between its halves', async () => {
    const { model, tokenizer } = said();
    const { restoreGeneration } = await import('../../src/index.js');
    const generation = generate(model, tokenizer, [0, 1], { echo: true });
    const before = JSON.parse(JSON.stringify(generation.save()));
    expect((await restoreGeneration(model, tokenizer, before)).text).toBe('a😀b');
    await generation[Symbol.asyncIterator]().next();
    const after = JSON.parse(JSON.stringify(generation.save()));
    expect((await restoreGeneration(model, tokenizer, after)).text).toBe('😀b');
  });

  it('is U+FFFD where the text ends within it', async () => {
    const { model, tokenizer } = saying(['a', [0xf0, 0x9f]]);
    expect((await generate(model, tokenizer, [0, 1], { echo: true })).text).toBe('a�');
  });

  it('is no part of a stop string of the prompt: the prompt is not searched', async () => {
    const { model, tokenizer } = said();
    expect((await generate(model, tokenizer, [0, 1], { echo: true, stop: ['a😀'] })).text).toBe('a😀b');
    expect((await generate(model, tokenizer, [0, 1], { echo: true, stop: ['😀'] })).text).toBe('a');
  });
});
