/**
 * The public bug reports on stop strings, streaming and UTF-8: a model that generates the pieces of a case, and the text
 * that comes out of `generate`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EmbeddedTokenizer } from '../../src/embedded/embedded-tokenizer.js';
import { type GenerateEvent, type Generation, generate, InvalidValueError } from '../../src/index.js';
import {
  type Check,
  cases,
  faultsOf,
  type TextInput,
  type TextValues,
  type TokenCase,
  testName,
  toLogits,
} from './case-file.js';
import { modelOf, scriptedModel, scriptedTokenizer, scriptOf } from './scripted-model.js';
import { masksOf } from './token-outcome.js';

type TextCheck = Check<TextInput, TextValues>;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const textCases = cases.filter((one) => one.test === 'text');

for (const one of textCases) {
  describe(`${one.number} (${one.group})`, () => {
    for (const check of one.checks) {
      it(testName(one, check), () => (check.right.error === undefined ? holds(check) : refuses(check)));
      if (check.right.error === undefined && check.right.finish === 'stop' && check.input.end === undefined) {
        it(`${testName(one, check)}, byte by byte`, () => holdsInBytes(check));
      }
    }
  });
}

describe('B62', () => {
  const check = textCases.find(({ number }) => number === 'B62')?.checks[0] as TextCheck;
  const lossy = faultsOf(check)[0]?.bytes?.[0] as readonly number[];
  const json = readFileSync(new URL('../../fixtures/model/tokenizer.json', import.meta.url), 'utf8');
  const tokenizer = new EmbeddedTokenizer(JSON.parse(json));
  const ids = tokenizer.encode(check.right.text as string);

  it('B62 the embedded tokenizer gives each token of an emoji its own bytes', () => {
    const bytes = ids.map((id) => [...tokenizer.tokenBytes(id)]);
    expect(bytes.length).toBeGreaterThan(1);
    expect(bytes.flat()).toEqual(check.right.bytes?.flat());
    expect(bytes).not.toContainEqual(lossy);
  });

  it('B62 an emoji in several tokens of the embedded tokenizer comes out whole, with the last of them', async () => {
    const model = scriptedModel({ bytes: new Array(tokenizer.vocabSize).fill([]), ids, endId: 0 });
    const events: GenerateEvent[] = [];
    for await (const event of generate(model, tokenizer, [1], { temperature: 0 })) events.push(event);
    expect(tokenTexts(events)).toEqual([...ids.slice(1).map(() => ''), check.right.text]);
  });
});

describe('B47', () => {
  const one = cases.find(({ number }) => number === 'B47') as TokenCase;
  const { input, right } = one.checks[0] as TokenCase['checks'][number];

  it(`${testName(one)}, and the text ends with stop`, async () => {
    const logits = Float32Array.from(toLogits(input.logits));
    const model = modelOf(logits.length, right.id as number, () => logits);
    const tokenizer = scriptedTokenizer(scriptOf({ pieces: ['a', 'b'], stop: [] }));
    const result = await generate(model, tokenizer, [0], input.params, { before: masksOf(input) });
    expect(result).toMatchObject({ text: '', ids: [], finish_reason: 'stop', stopped_by: right.id });
  });
});

async function holds({ input, right }: TextCheck): Promise<void> {
  const generation = start(input);
  const events: GenerateEvent[] = [];
  for await (const event of generation) events.push(event);
  const result = await generation;
  expect(events.map(({ text }) => text).join('')).toBe(right.text);
  for (const { text } of events) expect(text).not.toMatch(LONE_SURROGATE);
  expect(result.text).toBe(right.text);
  expect(result.finish_reason).toBe(right.finish);
  expect(result.ids).toEqual(scriptOf(input).ids.slice(0, right.tokens));
  if (right.matched !== undefined) expect(result.stopped_by).toBe(right.matched);
  if (right.deltas !== undefined) expect(tokenTexts(events)).toEqual(right.deltas);
}

/** The same text in pieces of one byte: however it is cut, the same comes out. */
async function holdsInBytes({ input, right }: TextCheck): Promise<void> {
  const { bytes, ids } = scriptOf(input);
  const pieces = ids.flatMap((id) => [...(bytes[id] as Uint8Array)]).map((byte) => [byte]);
  const result = await start({ pieces, stop: input.stop });
  expect(result.text).toBe(right.text);
  expect(result.finish_reason).toBe(right.finish);
  if (right.matched !== undefined) expect(result.stopped_by).toBe(right.matched);
}

/** Before the model is asked anything. */
function refuses({ input, right }: TextCheck): void {
  let thrown: unknown;
  try {
    thrown = { instead: start(input) };
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(InvalidValueError);
  expect(thrown).toMatchObject({ parameter: right.error, value: '' });
}

/** The text of each token's event. */
function tokenTexts(events: readonly GenerateEvent[]): string[] {
  return events.filter(({ type }) => type === 'token').map(({ text }) => text);
}

function start(input: TextInput): Generation {
  const script = scriptOf(input);
  const max_tokens = input.end === 'max_tokens' ? script.ids.length : 60;
  const params = { temperature: 0, stop: input.stop, max_tokens };
  return generate(scriptedModel(script), scriptedTokenizer(script), 'prompt', params);
}
