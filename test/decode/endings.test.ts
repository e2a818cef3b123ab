/**
 * D11 and D12: which length ended a text, seeds in results, and stop strings that wait for `min_tokens`.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopScanner } from '../../src/decode/index.js';
import {
  beamSearch,
  type GenerationParamsInput,
  generate,
  generateSpeculative,
  type LanguageModel,
  NgramTable,
  NgramTableDrafter,
  PromptLookupDrafter,
  restoreGeneration,
} from '../../src/index.js';
import { PieceTokenizer, ScriptedModel, saying } from '../support/scripted-model.js';

const letters = new PieceTokenizer(['a', 'b', 'c']);

function endless(contextLength: number): ScriptedModel {
  return new ScriptedModel(3, contextLength, [], () => [2, 1, 0]);
}

/** The result of `generate` and of speculation, which must say the same. */
async function both(model: LanguageModel, tokenizer: PieceTokenizer, prompt: number[], params: GenerationParamsInput) {
  const greedy = { temperature: 0, seed: 1, ...params };
  const alone = await generate(model, tokenizer, prompt, greedy);
  const drafter = new PromptLookupDrafter();
  const { speculation: _, ...drafted } = await generateSpeculative(model, tokenizer, prompt, greedy, { drafter });
  expect(drafted).toEqual(alone);
  return alone;
}

describe('the reason length (D11)', () => {
  it.each([
    { why: 'max_tokens', contextLength: 10, max_tokens: 4, length_by: 'max_tokens', count: 4 },
    { why: 'the context', contextLength: 4, max_tokens: 10, length_by: 'context', count: 3 },
    { why: 'both at once: max_tokens', contextLength: 5, max_tokens: 4, length_by: 'max_tokens', count: 4 },
    { why: 'a context that the prompt fills', contextLength: 1, max_tokens: 4, length_by: 'context', count: 0 },
  ])('says that it was by $why', async ({ contextLength, max_tokens, length_by, count }) => {
    const result = await both(endless(contextLength), letters, [0], { max_tokens });
    expect(result).toMatchObject({ finish_reason: 'length', length_by, usage: { completion_tokens: count } });
  });

  it.each([
    { contextLength: 10, max_tokens: 4, length_by: 'max_tokens' },
    { contextLength: 4, max_tokens: 10, length_by: 'context' },
    { contextLength: 5, max_tokens: 4, length_by: 'max_tokens' },
  ])('says so of beams: $length_by', async ({ contextLength, max_tokens, length_by }) => {
    for (const rules of ['spec', 'hf'] as const) {
      const { sequences } = await beamSearch(endless(contextLength), [0], { num_beams: 2, max_tokens }, { rules });
      expect(sequences[0]).toMatchObject({ finish_reason: 'length', length_by });
    }
  });

  it('is in the event, and in what is restored from a state that holds the end', async () => {
    const generation = generate(endless(3), letters, [0], { temperature: 0 });
    const events = [];
    for await (const event of generation) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'end', finish_reason: 'length', length_by: 'context' });
    const saved = JSON.parse(JSON.stringify(generation.save()));
    expect(await restoreGeneration(endless(3), letters, saved)).toMatchObject({ length_by: 'context' });
  });

  it('is the only one with it', async () => {
    const { model, tokenizer } = saying(['a', 'b']);
    expect(await generate(model, tokenizer, [])).not.toHaveProperty('length_by');
    expect(await generate(model, tokenizer, [], { stop: ['b'] })).not.toHaveProperty('length_by');
  });
});

describe('a seed in a result (D11)', () => {
  const drafter = new PromptLookupDrafter();
  const results = (seed: number | bigint) =>
    Promise.all([
      generate(endless(9), letters, [0], { seed }),
      generateSpeculative(endless(9), letters, [0], { seed }, { drafter }),
      beamSearch(endless(9), [0], { seed, do_sample: true, num_beams: 2, max_tokens: 2 }, { rules: 'hf' }),
    ]);

  it.each([
    { given: 7, reported: 7 },
    { given: 7n, reported: 7 },
    { given: 2n ** 53n - 1n, reported: 2 ** 53 - 1 },
    { given: 2n ** 53n, reported: 2n ** 53n },
    { given: 2n ** 64n - 1n, reported: 2n ** 64n - 1n },
  ])('that was given as $given is reported the same everywhere', async ({ given, reported }) => {
    for (const { seed } of await results(given)) expect(seed).toBe(reported);
  });

  it('goes through JSON: as a number where it fits, as decimal digits where it does not', async () => {
    for (const result of await results(7n)) expect(JSON.parse(JSON.stringify(result)).seed).toBe(7);
    for (const result of await results(2n ** 64n - 1n)) {
      const written = JSON.parse(JSON.stringify(result));
      expect(written).toEqual({ ...JSON.parse(JSON.stringify({ ...result, seed: 0 })), seed: '18446744073709551615' });
      expect(BigInt(written.seed)).toBe(result.seed);
      expect(structuredClone(result)).toEqual(result);
    }
  });
});

describe('min_tokens and stop strings (D12)', () => {
  const run = async (stop: string[], min_tokens: number, stop_waits: boolean, pieces = ['a', 'b', 'c', 'b', 'd']) => {
    const { model, tokenizer } = saying(pieces);
    const params = { stop, min_tokens, stop_waits, seed: 1 };
    const whole = await generate(model, tokenizer, [], params);
    const table = new NgramTable([[...pieces.keys()]], 2);
    const drafted = await generateSpeculative(model, tokenizer, [], params, { drafter: new NgramTableDrafter(table) });
    expect(drafted.text).toBe(whole.text);
    for (let events = 0; events <= whole.ids.length; events++) {
      const generation = generate(model, tokenizer, [], params);
      let text = '';
      const iterator = generation[Symbol.asyncIterator]();
      for (let i = 0; i < events; i++) text += (await iterator.next()).value?.text ?? '';
      const saved = JSON.parse(JSON.stringify(generation.save()));
      const rest = await restoreGeneration(model, tokenizer, saved);
      expect([text + rest.text, rest.stopped_by]).toEqual([whole.text, whole.stopped_by]);
    }
    return [whole.text, whole.stopped_by];
  };

  it('end the text before so many tokens by default', async () => {
    expect(await run(['b'], 3, false)).toEqual(['a', 'b']);
  });

  it.each([
    { why: 'within them it is text', stop: ['b'], min: 2, text: 'abc', by: 'b' },
    { why: 'the last of them is within', stop: ['b'], min: 4, text: 'abcbd', by: 5 },
    { why: 'after them it ends the text', stop: ['b'], min: 1, text: 'a', by: 'b' },
    { why: 'it may begin within them and end after', stop: ['abc'], min: 2, text: '', by: 'abc' },
    { why: 'one within another that ends later', stop: ['b', 'bcx'], min: 2, text: 'abc', by: 'b' },
    { why: 'one that would begin another is not found late', stop: ['b', 'bcbx'], min: 3, text: 'abc', by: 'b' },
    { why: '0 waits for nothing', stop: ['a'], min: 0, text: '', by: 'a' },
  ])('wait with stop_waits: $why', async ({ stop, min, text, by }) => {
    expect(await run(stop, min, true)).toEqual([text, by]);
  });

  it.each([
    {
      end: 'max_tokens',
      request: { max_tokens: 3 },
      pieces: ['a', 'b', [0xf0], 'c'],
      waiting: [false, false, false, true],
    },
    { end: 'an end id', request: {}, pieces: ['a', 'b', [0xf0]], waiting: [false, false, false] },
  ])('wait for half a character that the end by $end makes U+FFFD, too', async ({ request, pieces, waiting }) => {
    for (const [min_tokens, isText] of waiting.entries()) {
      const { model, tokenizer } = saying(pieces);
      const params = { stop: ['\ufffd'], stop_waits: true, min_tokens, ...request };
      expect((await both(model, tokenizer, [], params)).text).toBe(isText ? 'ab\ufffd' : 'ab');
      expect((await both(model, tokenizer, [], { ...params, stop_waits: false })).text).toBe('ab');
    }
  });
});

describe('a scanner that passes over the first pieces', () => {
  it('finds what ends after them, first by its end, however the text is cut and wherever it was saved', () => {
    const letter = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });
    const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(
        fc.array(letter, { maxLength: 3 }),
        fc.array(letter, { maxLength: 4 }),
        stops,
        (early, late, list) => {
          let scanner = new StopScanner(list);
          let text = '';
          let stop: string | undefined;
          for (const piece of early) {
            text += scanner.pass(piece);
            scanner = new StopScanner(list, scanner.held, scanner.passed);
          }
          for (const piece of late) {
            const scan = scanner.push(piece);
            text += scan.text;
            stop = scan.stop;
            if (stop !== undefined) break;
            scanner = new StopScanner(list, scanner.held, scanner.passed);
          }
          if (stop === undefined) text += scanner.flush();
          expect([text, stop]).toEqual(letterByLetter(early.join(''), late.join(''), list));
        },
      ),
    );
  });
});

/** The text up to the first stop string that ends in `late`, and which: the longest of those that end there. */
function letterByLetter(early: string, late: string, stops: readonly string[]): [string, string | undefined] {
  for (let n = 1; n <= late.length; n++) {
    const seen = early + late.slice(0, n);
    const [stop] = stops.filter((one) => seen.endsWith(one)).sort((a, b) => b.length - a.length);
    if (stop !== undefined) return [seen.slice(0, -stop.length), stop];
  }
  return [early + late, undefined];
}
