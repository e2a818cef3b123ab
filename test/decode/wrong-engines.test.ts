/**
 * D3 and D4: what an engine gets wrong is said at once and by name, and a padded vocabulary is one rule everywhere.
 */
import { describe, expect, it } from 'vitest';
import type { ModelSession } from '../../src/decode/index.js';
import { createGrammars } from '../../src/grammar/index.js';
import {
  beamSearch,
  generate,
  generateMany,
  generateSpeculative,
  type LanguageModel,
  ModelDrafter,
  PromptLookupDrafter,
  restoreGeneration,
  type Tokenizer,
} from '../../src/index.js';
import { PieceTokenizer } from '../support/scripted-model.js';

const letters = new PieceTokenizer(['a', 'b', 'c']);
const greedy = { temperature: 0, max_tokens: 3 } as const;

/** A session as it should be, with parts that are not. */
function session(parts: Partial<Record<keyof ModelSession, unknown>> = {}): ModelSession {
  let length = 0;
  const right = {
    get length() {
      return length;
    },
    append(ids: readonly number[]) {
      length += ids.length;
      return Float32Array.of(3, 1, 0, 2);
    },
    appendEach(ids: readonly number[]) {
      length += ids.length;
      return ids.map(() => Float32Array.of(3, 1, 0, 2));
    },
    truncate(to: number) {
      length = to;
    },
    fork() {
      const copy = session();
      if (length > 0) copy.append(Array.from({ length }, () => 0));
      return copy;
    },
  };
  return Object.defineProperties(right, Object.getOwnPropertyDescriptors(parts)) as ModelSession;
}

function model(parts: object = {}, opened = () => session()): LanguageModel {
  return { vocabSize: 4, contextLength: 50, endIds: [], open: opened, ...parts };
}

/** Every way in, on prompt ids. */
const ENTRIES: Record<string, (m: LanguageModel, t: Tokenizer) => unknown> = {
  generate: (m, t) => generate(m, t, [0], greedy),
  generateSpeculative: (m, t) => generateSpeculative(m, t, [0], greedy, { drafter: new PromptLookupDrafter() }),
  beamSearch: (m, tokenizer) => beamSearch(m, [0], { num_beams: 2, max_tokens: 3 }, { tokenizer }),
  restoreGeneration: (m, t) => restoreGeneration(m, t, generate(model(), letters, [0], greedy).save()),
};
const entries = Object.entries(ENTRIES).map(([name, enter]) => ({ name, enter }));

async function refusal(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    expect(error).toMatchObject({ name: 'InvalidValueError' });
    return (error as Error).message;
  }
  return 'nothing was refused';
}

describe.each(entries)('$name', ({ name, enter }) => {
  it.each([
    [{ vocabSize: '4' }, '`model.vocabSize` must be an integer >= 1, got "4"'],
    [{ vocabSize: undefined }, '`model.vocabSize` must be an integer >= 1, got undefined'],
    [{ contextLength: undefined }, '`model.contextLength` must be an integer >= 1, got undefined'],
    [{ contextLength: 2.5 }, '`model.contextLength` must be an integer >= 1, got 2.5'],
    [{ contextLength: 50n }, '`model.contextLength` must be an integer >= 1, got 50n'],
    [{ beginId: 4 }, '`model.beginId` must be an integer in [0, 4), got 4'],
    [{ beginId: '1' }, '`model.beginId` must be an integer in [0, 4), got "1"'],
    [{ endIds: undefined }, '`model.endIds` must be an array of ids, got undefined'],
    [{ endIds: [4n] }, '`model.endIds[0]` must be an integer in [0, 4), got 4n'],
    [{ endIds: [3, '2'] }, '`model.endIds[1]` must be an integer in [0, 4), got "2"'],
    [{ endIds: [99] }, '`model.endIds[0]` must be an integer in [0, 4), got 99'],
    [{ open: undefined }, '`model` must be a LanguageModel'],
  ])('refuses a model with %o before it is asked anything', async (parts, message) => {
    let opened = 0;
    const wrong = model(parts as object, () => {
      opened++;
      return session();
    });
    expect(await refusal(() => enter(wrong, letters))).toContain(`${name}: ${message}`);
    expect(opened).toBe(0);
  });

  it.each([undefined, null, 5, 'a model', []])('refuses %o as a model', async (wrong) => {
    expect(await refusal(() => enter(wrong as never, letters))).toContain(`${name}: \`model\` must be a LanguageModel`);
  });

  it.each([
    [{ encode: 5 }, '`tokenizer` must be a Tokenizer'],
    [{ tokenBytes: undefined }, '`tokenizer` must be a Tokenizer'],
    [{ vocabSize: 3n }, '`tokenizer.vocabSize` must be an integer >= 1, got 3n'],
    [{ vocabSize: 5 }, "`tokenizer.vocabSize` must be at most 4, the model's, got 5"],
  ])('refuses a tokenizer with %o', async (parts, message) => {
    const right = { vocabSize: 3, encode: () => [0], tokenBytes: () => new Uint8Array() };
    const wrong = { ...right, ...parts } as unknown as Tokenizer;
    expect(await refusal(() => enter(model(), wrong))).toContain(`${name}: ${message}`);
  });

  it.each<[string, object, string]>([
    ['no session', { open: () => undefined }, 'LanguageModel: `open()` must be a session, got undefined'],
    ['no truncate', { open: () => session({ truncate: 5 }) }, 'ModelSession: `truncate` must be a function, got 5'],
    ['a fork that is none', { open: () => session({ fork: 5 }) }, '`fork` must be a function or absent, got 5'],
    ['a session with a past', { open: () => session({ length: 1 }) }, '`length` must be 0 when opened, got 1'],
    ['no length', { open: () => session({ length: undefined }) }, '`length` must be 0 when opened, got undefined'],
  ])('refuses a model that opens %s', async (_, parts, message) => {
    expect(await refusal(() => enter(model(parts), letters))).toContain(message);
  });

  it('closes a session that it refuses, and says why it was refused', async () => {
    let closed = 0;
    const close = () => {
      closed++;
      throw new Error('not this');
    };
    const opened = () => session({ length: 1, close });
    expect(await refusal(() => enter(model({}, opened), letters))).toContain('`length` must be 0 when opened, got 1');
    expect(closed).toBe(1);
  });

  it.each<[string, unknown, string]>([
    ['too few logits', new Float32Array(3), "`append()` must be 4, the model's vocabSize, got 3"],
    ['too many logits', new Float32Array(5), "`append()` must be 4, the model's vocabSize, got 5"],
    ['no logits', undefined, '`append()` must be a Float32Array of logits, got undefined'],
    ['a plain array', [1, 2, 3, 4], '`append()` must be a Float32Array of logits, got [1, 2, 3, 4]'],
    ['doubles', new Float64Array(4), '`append()` must be a Float32Array of logits, got Float64Array(4)'],
  ])('refuses %s', async (_, logits, message) => {
    const wrong = (asked: number) => {
      let length = 0;
      return session({
        get length() {
          return length;
        },
        append(ids: readonly number[]) {
          length += ids.length;
          return asked === 0 ? logits : Promise.resolve(logits);
        },
        appendEach: undefined,
        fork: undefined,
      } as never);
    };
    const said = message.replace('append()` must be 4', 'append().length` must be 4');
    for (const asked of [0, 1]) {
      expect(
        await refusal(() =>
          enter(
            model({}, () => wrong(asked)),
            letters,
          ),
        ),
      ).toBe(`ModelSession: ${said}`);
    }
  });

  it('refuses a session whose length does not grow, instead of running for ever', async () => {
    const stuck = () => session({ append: () => new Float32Array(4), appendEach: undefined, fork: undefined });
    expect(await refusal(() => enter(model({}, stuck), letters))).toBe(
      'ModelSession: `length` must be 1 after `append`, got 0',
    );
  });
});

describe('a tokenizer', () => {
  it.each<[string, unknown, string]>([
    ['a text for bytes', 'abc', 'Tokenizer: `tokenBytes(0)` must be a Uint8Array, got "abc"'],
    ['nothing for bytes', undefined, 'Tokenizer: `tokenBytes(0)` must be a Uint8Array, got undefined'],
    ['numbers for bytes', [97], 'Tokenizer: `tokenBytes(0)` must be a Uint8Array, got [97]'],
  ])('that gives %s is refused', async (_, bytes, message) => {
    const wrong = { vocabSize: 4, encode: () => [0], tokenBytes: () => bytes } as unknown as Tokenizer;
    expect(await refusal(() => generate(model(), wrong, [0], greedy))).toBe(message);
    expect(await refusal(() => generate(model(), wrong, [0], { echo: true }))).toBe(message);
    expect(await refusal(() => beamSearch(model(), [0], { max_tokens: 1 }, { tokenizer: wrong }))).toBe(message);
  });

  it.each<[string, unknown, string]>([
    ['a text', 'abc', '`encode()` must be an array of ids, got "abc"'],
    ['an object', { ids: [1] }, '`encode()` must be an array of ids, got { ids: [1] }'],
    ['bigints', BigInt64Array.of(1n), '`encode()[0]` must be an integer in [0, 3), got 1n'],
    ['an id that it does not have', [0, 3], '`encode()[1]` must be an integer in [0, 3), got 3'],
    ['a fraction', [0.5], '`encode()[0]` must be an integer in [0, 3), got 0.5'],
  ])('that gives %s for a text is refused', async (_, ids, message) => {
    const wrong = { vocabSize: 3, encode: () => ids, tokenBytes: () => new Uint8Array() } as unknown as Tokenizer;
    for (const enter of [
      () => generate(model(), wrong, 'a', greedy),
      () => beamSearch(model(), 'a', { max_tokens: 1 }, { tokenizer: wrong }),
      () => generateSpeculative(model(), wrong, 'a', greedy, { drafter: new PromptLookupDrafter() }),
    ]) {
      expect(await refusal(enter)).toBe(`Tokenizer: ${message}`);
    }
  });
});

describe('a tokenizer of grammars', () => {
  it.each([
    [{ tokenBytes: () => 'a' }, [2], 'Tokenizer: `tokenBytes(0)` must be a Uint8Array, got "a"'],
    [{ vocabSize: '3' }, [2], 'createGrammars: `tokenizer.vocabSize` must be an integer >= 1, got "3"'],
    [{}, BigInt64Array.of(2n), 'createGrammars: `endIds[0]` must be an integer in [0, 3), got 2n'],
    [{}, Int32Array.of(3), 'createGrammars: `endIds[0]` must be an integer in [0, 3), got 3'],
  ])('with %o and the end ids %o is refused before an engine is loaded', async (parts, endIds, message) => {
    const right = { vocabSize: 3, encode: () => [0], tokenBytes: () => Uint8Array.of(97) };
    const tokenizer = { ...right, ...parts } as unknown as Tokenizer;
    expect(await refusal(() => createGrammars({ tokenizer, endIds: endIds as number[] }))).toBe(message);
  });
});

describe('a session', () => {
  const speculate = (opened: () => ModelSession) =>
    generateSpeculative(model({}, opened), letters, [0], greedy, { drafter: new PromptLookupDrafter() });

  it.each<[string, unknown, string]>([
    ['no array', new Float32Array(4), '`appendEach()` must be an array with logits for each id, got Float32Array(4)'],
    ['too few rows', [], '`appendEach().length` must be 1, one row for each id, got 0'],
    ['a short row', [new Float32Array(3)], "`appendEach()[0].length` must be 4, the model's vocabSize, got 3"],
  ])('that gives %s for the ids of a block is refused', async (_, rows, message) => {
    expect(await refusal(() => speculate(() => session({ appendEach: () => rows })))).toBe(`ModelSession: ${message}`);
  });

  it('that does not grow by a block, or forgets another number than it should, is refused', async () => {
    const stuck = () => session({ appendEach: (ids: number[]) => ids.map(() => new Float32Array(4)) });
    expect(await refusal(() => speculate(stuck))).toBe('ModelSession: `length` must be 1 after `appendEach`, got 0');
    const keeps = model({ contextLength: 2 }, () => session({ truncate: () => {} }));
    const slide = { whenFull: 'slide' } as const;
    expect(await refusal(() => generate(keeps, letters, [0], greedy, slide))).toBe(
      'ModelSession: `length` must be 0 after `truncate`, got 2',
    );
  });

  it('whose copy has another length is refused', async () => {
    const forking = model({}, () => session({ fork: () => session() }));
    expect(await refusal(() => beamSearch(forking, [0], { num_beams: 2, max_tokens: 3 }))).toBe(
      'ModelSession: `length` must be 1 after `fork`, got 0',
    );
  });

  it('of a draft model is refused likewise, and a draft model that is none at once', async () => {
    const drafter = new ModelDrafter(model({}, () => session({ append: () => new Float32Array(4) })));
    const run = () => generateSpeculative(model(), letters, [0], greedy, { drafter });
    expect(await refusal(run)).toBe('ModelSession: `length` must be 1 after `append`, got 0');
    expect(() => new ModelDrafter(model({ endIds: [9] }))).toRefuse(
      'ModelDrafter: `model.endIds[0]` must be an integer in [0, 4), got 9',
    );
    expect(() => new ModelDrafter(undefined as never)).toThrow('ModelDrafter: `model` must be a LanguageModel');
  });

  it('keeps an abort that an engine threw half-way an abort', async () => {
    const reason = new Error('enough');
    const throwing = model({}, () =>
      session({
        append: () => {
          throw reason;
        },
      }),
    );
    await expect(generate(throwing, letters, [0], greedy)).rejects.toBe(reason);
  });

  it('is refused in its place among several', async () => {
    const [settled] = await generateMany(model({ endIds: [7] }), letters, [{ prompt: [0] }]);
    expect(settled).toMatchObject({ status: 'rejected', reason: { parameter: 'model.endIds[0]' } });
  });
});

describe('a padded vocabulary: four ids, of which the tokenizer has three', () => {
  /** Prefers the id that nobody has a text for. */
  const padded = model({}, () => {
    let length = 0;
    return {
      get length() {
        return length;
      },
      append(ids: readonly number[]) {
        length += ids.length;
        return Float32Array.of(3, 1, 0, length === 2 ? 9 : 2);
      },
      truncate(to: number) {
        length = to;
      },
    };
  });

  it('has no bytes for the others, listed or drawn, and can be saved', async () => {
    const generation = generate(padded, letters, [0], { ...greedy, logprobs: 2 });
    const { text, ids, topLogprobs } = await generation;
    expect({ text, ids }).toEqual({ text: 'aa', ids: [0, 3, 0] });
    expect(topLogprobs?.map((top) => top.map(({ id, bytes }) => [id, bytes]))).toEqual([
      [
        [0, [97]],
        [3, []],
      ],
      [
        [3, []],
        [0, [97]],
      ],
      [
        [0, [97]],
        [3, []],
      ],
    ]);
    expect(generation.save().ended).toBe(true);
  });

  it('is the same in a prompt, in beams and in speculation', async () => {
    expect((await generate(padded, letters, [0, 3, 1], { ...greedy, echo: true })).text).toBe('abaaa');
    const { sequences } = await beamSearch(padded, [0], { max_tokens: 3 }, { tokenizer: letters });
    expect(sequences[0]).toMatchObject({ ids: [0, 3, 0], text: 'aa' });
    const drafter = new PromptLookupDrafter();
    const result = await generateSpeculative(padded, letters, [0], { ...greedy, logprobs: 2 }, { drafter });
    expect(result).toMatchObject({ text: 'aa', ids: [0, 3, 0] });
    expect(result.topLogprobs?.[1]).toMatchObject([
      { id: 3, bytes: [] },
      { id: 0, bytes: [97] },
    ]);
  });
});
