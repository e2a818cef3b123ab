/**
 * Grammars in chains: logprobs, places, dead ends, chains as data.
 */
import { describe, expect, it } from 'vitest';
import { Constrained } from '../../processors/constraints/constrained.js';
import { createContainer, grammarModule } from '../../src/container/index.js';
import type { Sampler } from '../../src/core.js';
import { createGrammars, type GrammarOptions } from '../../src/grammar/index.js';
import {
  createSampler,
  generate,
  InvalidValueError,
  restoreSampler,
  type SamplerState,
  saveSampler,
} from '../../src/index.js';
import { exp } from '../../src/numerics/index.js';
import { tokenLogprobs } from '../../src/spec.js';
import { BYTE_TOKENIZER, END } from '../support/byte-tokens.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';
import { embeddedGrammars } from './embedded-grammars.js';

const { embedded, grammars } = await embeddedGrammars();

const SCHEMA = {
  type: 'object',
  properties: {
    who: { type: 'string', maxLength: 6 },
    years: { type: 'array', items: { type: 'integer' }, maxItems: 2 },
  },
  required: ['who', 'years'],
};
const CHAIN = [
  { use: 'grammar', json_schema: SCHEMA },
  { use: 'repetition-penalty', penalty: 1.2 },
  { use: 'temperature', temperature: 0.9 },
  { use: 'top-p', p: 0.9 },
];

class Named extends PieceTokenizer {
  constructor(readonly id: string) {
    super(['a', 'b', '']);
  }
}

/** The logits after the prompt and `ids`. */
async function logitsAfter(prompt: readonly number[], ids: readonly number[]): Promise<Float32Array> {
  const session = await embedded.model.open();
  return session.append([embedded.model.beginId as number, ...prompt, ...ids]);
}

describe('logprobs under a grammar', () => {
  it('are those of the logits masked by hand, to the bit, and their exponentials sum to 1', async () => {
    const grammar = grammars.jsonSchema(SCHEMA);
    const constraint = grammar.constraint();
    const prompt = embedded.tokenizer.encode('And he said ');
    const params = { temperature: 0.8, top_p: 0.9, repetition_penalty: 1.3, presence_penalty: 0.2 };
    const sampler = createSampler({ ...params, seed: 3 }, { prompt, before: [new Constrained(grammar.constraint())] });
    const output: number[] = [];
    for (let i = 0; i < 12; i++) {
      const logits = await logitsAfter(prompt, output);
      const words = constraint.mask();
      const masked = logits.map((l, id) => (((words[id >> 5] as number) >>> (id & 31)) & 1 ? l : -Infinity));
      const expected = tokenLogprobs(masked, params, output, prompt);
      const { id, logprob } = sampler.sample(logits);
      let sum = 0;
      for (let other = 0; other < logits.length; other++) {
        if (!Object.is(sampler.logprob(other), expected[other])) throw new Error(`token ${i}: id ${other} differs`);
        sum += exp(expected[other] as number);
      }
      expect(Math.abs(sum - 1)).toBeLessThan(1e-12);
      expect(Object.is(logprob, expected[id])).toBe(true);
      output.push(id);
      constraint.advance(id);
    }
    expect(constraint.save()).toEqual(output);
  });
});

describe('the place of a grammar in a chain', () => {
  it('is saved and restored with the request: at every token, the same ids and logprobs follow', async () => {
    const container = createContainer(grammarModule(grammars));
    const other = createContainer(
      grammarModule(await createGrammars({ tokenizer: embedded.tokenizer, endIds: embedded.model.endIds })),
    );
    const prompt = embedded.tokenizer.encode('Noah ');
    const sampler = createSampler({ seed: 8 }, { prompt, chain: CHAIN, container });
    const saved: SamplerState[] = [];
    const sampled: { id: number; logprob: number }[] = [];
    const rows: Float32Array[] = [];
    for (
      let done = false;
      !done && sampled.length < 30;
      done = embedded.model.endIds.includes(sampled.at(-1)?.id as number)
    ) {
      saved.push(JSON.parse(JSON.stringify(saveSampler(sampler))));
      rows.push(await logitsAfter(prompt, [...sampler.history.output]));
      sampled.push(sampler.sample(rows.at(-1) as Float32Array));
    }
    expect(sampled.length).toBeGreaterThan(8);
    saved.forEach((state, at) => {
      const restored = restoreSampler(state, { container: other });
      const rest = rows.slice(at).map((logits) => restored.sample(logits));
      expect(rest).toEqual(sampled.slice(at));
    });
  });

  it('is refused where it is no place of the grammar', () => {
    const container = createContainer(grammarModule(grammars));
    const state = saveSampler(createSampler({ seed: 1 }, { chain: CHAIN, container }));
    expect(() => restoreSampler({ ...state, states: [[5, 5], null, null, null] }, { container })).toThrow(
      /GrammarConstraint: `state` must be the ids of a text that the grammar allows/,
    );
  });

  it('goes along with ids that are forced, and back when one of them is refused', () => {
    const { tokenizer } = embedded;
    const sampler = createSampler(
      { seed: 1 },
      { before: [new Constrained(grammars.regex('Noah begat (Shem|Ham)').constraint())] },
    );
    for (const id of tokenizer.encode('Noah begat ')) sampler.accept(id);
    const [wrong] = tokenizer.encode('x') as [number];
    expect(() => sampler.accept(wrong)).toThrow(/GrammarConstraint: `id` must be one that the grammar allows here/);
    const text = Array.from({ length: 8 }, () => greedy(sampler)).filter((id) => !embedded.model.endIds.includes(id));
    expect(new TextDecoder().decode(Uint8Array.from(text.flatMap((id) => [...tokenizer.tokenBytes(id)])))).toMatch(
      /^(Shem|Ham)$/,
    );
  });
});

/** The next id by flat logits; after the end, the end again. */
function greedy(sampler: Sampler): number {
  const last = sampler.history.output.at(-1) as number;
  if (embedded.model.endIds.includes(last)) return last;
  return sampler.sampleId(new Float32Array(embedded.model.vocabSize));
}

describe('a vocabulary that lacks what a grammar needs', () => {
  it('comes to a dead end, which is an error of the chain that names the step; nothing was drawn', async () => {
    const tokenizer = new PieceTokenizer(['a', 'b', '']);
    const own = await createGrammars({ tokenizer, endIds: [2] });
    const container = createContainer(grammarModule(own));
    const sampler = createSampler({ seed: 1 }, { chain: [{ use: 'grammar', regex: 'ac' }], container });
    const logits = Float32Array.of(0, 0, 0);
    expect(sampler.sample(logits).id).toBe(0);
    expect(() => sampler.sample(logits)).toThrow(/^Constrained \(step 1 of \d\): `grammar` must be .*allows/);
    expect([sampler.draws, sampler.history.output]).toEqual([1, [0]]);
    const model = new ScriptedModel(3, 10, [2], () => [0, 0, 0], 0);
    const chain = [{ use: 'grammar', regex: 'ac' }];
    await expect(generate(model, tokenizer, [], { seed: 1 }, { chain, container })).rejects.toThrow(InvalidValueError);
    own.dispose();
  });
});

const KINDS = 'json_schema, regex, ebnf, lark, choice, json, tools';

describe('a grammar in a chain as data', () => {
  it.each([
    ['nothing', {}, 'options', `exactly one of ${KINDS}`],
    ['no kind', { whitespace: 'flexible' }, 'options', `exactly one of ${KINDS}`],
    ['two', { json_schema: {}, lark: 'start: "a"' }, 'options', `exactly one of ${KINDS}`],
    [
      'an unknown option',
      { larch: 'a' },
      'larch',
      `absent (the parameters are: ${KINDS}, whitespace, keys, unsupported, close)`,
    ],
    ['an EBNF grammar that is no string', { ebnf: 1 }, 'ebnf', 'a grammar in EBNF or GBNF as a string'],
    ['choices that are none', { choice: 'a' }, 'choice', 'an array of strings'],
    ['any JSON or not', { json: false }, 'json', 'true, which stands for any JSON'],
    ['tools that are none', { tools: {} }, 'tools', 'an array of tools'],
    ['unknown white space', { json: true, whitespace: 'x' }, 'whitespace', 'one of compact, spaced, flexible'],
    ['an order of keys that there is not', { json_schema: {}, keys: 'x' }, 'keys', 'one of schema, sorted'],
    ['white space of no JSON', { regex: 'a', whitespace: 'compact' }, 'whitespace', 'absent beside `regex`'],
    ['an order of any keys', { json: true, keys: 'sorted' }, 'keys', 'absent beside `json`'],
    ['nothing that may be left out', { choice: ['a'], unsupported: 'warn' }, 'unsupported', 'absent beside `choice`'],
    ['a pattern that is no string', { regex: 1 }, 'regex', 'a regular expression as a string'],
    ['a grammar that is no string', { lark: [] }, 'lark', 'a Lark grammar as a string'],
    ['a schema as text', { json_schema: '{}' }, 'json_schema', 'a JSON schema: an object, true or false'],
  ])('is refused with %s', (_, options, parameter, domain) => {
    const container = createContainer(grammarModule(grammars));
    let thrown: unknown;
    try {
      createSampler({}, { chain: [{ use: 'grammar', ...options }], container });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidValueError);
    expect(thrown).toMatchObject({ owner: 'Grammar', parameter, domain });
  });

  it('is refused with what is no grammar, by the name of its kind', () => {
    const container = createContainer(grammarModule(grammars));
    const start = (options: object) => createSampler({}, { chain: [{ use: 'grammar', ...options }], container });
    expect(() => start({ regex: '(' })).toThrow(/^Grammars: `regex`/);
    expect(() => start({ lark: 'start: x' })).toThrow(/^Grammars: `lark`/);
    expect(() => start({ json_schema: { type: 'x' } })).toThrow(/^Grammars: `json_schema\/type`/);
  });

  it.each<[GrammarOptions, string[], string[]]>([
    [
      { json_schema: { type: 'array', items: { type: 'null' } }, whitespace: 'spaced' },
      ['[null, null]'],
      ['[null,null]'],
    ],
    [{ json_schema: { properties: { b: true, a: true } }, keys: 'sorted' }, ['{"a":1,"b":2}'], ['{"b":2,"a":1}']],
    [{ json_schema: { type: 'array', uniqueItems: true }, unsupported: 'warn' }, ['[1,1]'], ['1']],
    [{ regex: 'a+' }, ['aa'], ['']],
    [{ ebnf: 'root ::= "a" | "b"' }, ['b'], ['ab']],
    [{ lark: 'start: "a" | "b"' }, ['b'], ['ab']],
    [{ choice: ['yes', 'no'] }, ['yes', 'no'], ['yesno']],
    [{ json: true }, ['{"a":[1]}', '-1.5'], ['[1, 2]', 'x']],
    [{ json: true, whitespace: 'flexible' }, ['[ 1,  2]'], ['x']],
    [{ tools: [{ name: 'f', parameters: { type: 'null' } }] }, ['{"name":"f","arguments":null}'], ['{"name":"f"}']],
  ])('writes what %o says', async (options, right, wrong) => {
    const own = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
    const container = createContainer(grammarModule(own));
    const holds = (text: string) => {
      const sampler = createSampler({}, { chain: [{ use: 'grammar', ...options }], container });
      try {
        for (const byte of new TextEncoder().encode(text)) sampler.accept(byte);
        sampler.accept(END);
        return true;
      } catch {
        return false;
      }
    };
    expect([...right, ...wrong].filter(holds)).toEqual(right);
  });

  it('is printed as it was given, and made by no request without grammars', () => {
    const container = createContainer(grammarModule(grammars));
    const { chain } = createSampler({}, { chain: CHAIN, container });
    expect(chain.toData().filter(({ use }) => use !== 'logprobs')).toEqual(CHAIN);
    const plain = createSampler({}, { chain: CHAIN, grammars });
    expect(plain.chain.fingerprint()).toBe(chain.fingerprint());
    const missing =
      'grammar: `grammars` must be there, as the processor needs it: the option `grammars`, or `grammarModule` in the ' +
      'container (the request has nothing), got undefined';
    expect(() => createSampler({}, { chain: CHAIN })).toRefuse(missing);
    expect(() => createSampler({}, { chain: CHAIN, container: createContainer() })).toRefuse(missing);
    expect(() => createSampler({}, { chain: [{ use: 'x' }], container })).toThrow(/grammar/);
  });

  it('is refused for the tokens of another tokenizer than the request has', async () => {
    const own = await createGrammars({ tokenizer: new PieceTokenizer(['a', 'b', '']), endIds: [2] });
    const chain = [{ use: 'grammar', regex: 'a' }];
    const { model, tokenizer } = embedded;
    const size = tokenizer.vocabSize;
    for (const options of [{ grammars: own }, { container: createContainer(grammarModule(own)) }]) {
      expect(() => generate(model, tokenizer, '', {}, { chain, ...options })).toRefuse(
        `Grammars: \`tokenizer.vocabSize\` must be 3, that of these grammars, got ${size}`,
      );
    }
    const named = await createGrammars({ tokenizer: new Named('one'), endIds: [2] });
    expect(() => createSampler({}, { chain, grammars: named, tokenizer: new Named('two') })).toRefuse(
      'Grammars: `tokenizer.id` must be "one", that of these grammars, got "two"',
    );
    expect(createSampler({}, { chain, grammars: named, tokenizer: new Named('one') }).sample([0, 9, 0]).id).toBe(0);
    for (const grammarsOf of [own, named]) grammarsOf.dispose();
  });

  it('may be registered again, with other grammars', async () => {
    const own = await createGrammars({ tokenizer: new PieceTokenizer(['a', 'b', '']), endIds: [2] });
    const container = createContainer(grammarModule(grammars), grammarModule(own));
    const sampler = createSampler({ temperature: 1, seed: 1 }, { chain: [{ use: 'grammar', regex: 'b' }], container });
    expect(sampler.sample(Float32Array.of(9, 0, 0)).id).toBe(1);
    own.dispose();
  });
});
