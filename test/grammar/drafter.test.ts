/**
 * A grammar as a drafter: the text of `generate` when greedy, and its distribution when sampled.
 */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { Constrained } from '../../processors/constraints/constrained.js';
import type { DraftSession } from '../../src/decode/index.js';
import { EmbeddedSession } from '../../src/embedded/embedded-session.js';
import { createGrammars, type Grammar, GrammarDrafter } from '../../src/grammar/index.js';
import { createSampler, generate, generateSpeculative } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { outcomes, targetOutcomes } from '../decode/speculation/outcomes.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';
import { drawingFrom, ScriptedUniforms } from '../support/scripted-uniforms.js';
import { embeddedGrammars } from './embedded-grammars.js';

const V = 5;
const END = 4;
const tokenizer = new PieceTokenizer(['a', 'b', 'c', 'ab', '']);
const PROMPT = [0];
const model = new ScriptedModel(V, 40, [END], (ids) => {
  const rng = new Pcg32(ids.reduce((h, id) => (h * 31 + id + 1) % 1_000_003, 5));
  return Float32Array.from({ length: V }, () => rng.uniform() * 3);
});

const { embedded, grammars: large } = await embeddedGrammars();
const small = await createGrammars({ tokenizer, endIds: [END] });

afterEach(() => vi.restoreAllMocks());

afterAll(() => small.dispose());

/** What the drafter proposes after `output`. */
function drafted(grammar: Grammar, output: readonly number[], count: number): number[] {
  const request = { prompt: PROMPT, vocabSize: V, endIds: [END], uniform: () => expect.fail('it draws') };
  const session = new GrammarDrafter(grammar, tokenizer).open(request) as DraftSession;
  session.accept(output);
  return (session.propose(count) as { id: number }[]).map(({ id }) => id);
}

describe('a grammar as a drafter', () => {
  it('proposes what is forced, and nothing where there is a choice or the text left the grammar', () => {
    const grammar = small.lark('start: "cabc" /[ab]/ "ccb"');
    expect(drafted(grammar, [], 9)).toEqual([2, 0, 1, 2]);
    expect(drafted(grammar, [], 2)).toEqual([2, 0]);
    expect(drafted(grammar, [2, 3, 2], 9)).toEqual([]);
    expect(drafted(grammar, [2, 3, 2, 1], 9)).toEqual([2, 2, 1, END]);
    expect(drafted(grammar, [1], 9)).toEqual([]);
    expect(drafted(grammar, [2, 3, 2, 1, 2, 2, 1, END], 9)).toEqual([]);
  });

  it.each(['"cabc" /[ab]/ "ccb"', '/a?b?/ "abab" /c|abc/'])('leaves the distribution as it is: %s', async (rule) => {
    const grammar = small.lark(`start: ${rule}`);
    const params = { temperature: 1.3, top_p: 0.97, repetition_penalty: 1.2 };
    const [draftTokens, maxTokens] = [3, 6];
    const steps = () => [new Constrained(grammar.constraint())];
    const target = (output: readonly number[]) => {
      const sampler = createSampler(params, { prompt: PROMPT, history: [...output], before: steps() });
      return sampler.distribution(Float32Array.from(model.logitsAfter([...PROMPT, ...output])));
    };
    const drafter = (output: readonly number[], so: readonly number[]) =>
      drafted(grammar, output, Math.min(draftTokens, 40))[so.length];
    const scheme = { target, drafter, draftTokens, maxTokens, endId: END };
    const found = new Map<string, number>();
    let upcoming = new ScriptedUniforms([]);
    const container = drawingFrom(() => upcoming);
    for (const { ids, probability, uniforms } of outcomes(scheme)) {
      found.set(ids.join(), (found.get(ids.join()) ?? 0) + probability);
      upcoming = new ScriptedUniforms(uniforms);
      const options = { drafter: new GrammarDrafter(grammar, tokenizer), draftTokens, before: steps(), container };
      const result = await generateSpeculative(model, tokenizer, PROMPT, { ...params, max_tokens: maxTokens }, options);
      const whole = result.stopped_by === undefined ? result.ids : [...result.ids, END];
      expect([whole, upcoming.taken]).toEqual([ids, uniforms.length]);
    }
    const right = targetOutcomes(scheme);
    expect([...found.keys()].sort()).toEqual([...right.keys()].sort());
    for (const [ids, p] of right) expect(Math.abs((found.get(ids) as number) - p), ids).toBeLessThan(1e-12);
  });

  it('gives the text of `generate` when greedy, with fewer calls of the model', async () => {
    const schema = {
      type: 'object',
      properties: { description: { type: 'boolean' }, circumstances: { enum: ['none', 'nothing'] } },
      required: ['description', 'circumstances'],
    };
    const grammar = large.jsonSchema(schema);
    const steps = () => [new Constrained(grammar.constraint())];
    const params = { temperature: 0, max_tokens: 60 };
    const drafter = new GrammarDrafter(grammar, embedded.tokenizer);
    const { model: big, tokenizer: pieces } = embedded;
    const calls = [vi.spyOn(EmbeddedSession.prototype, 'append'), vi.spyOn(EmbeddedSession.prototype, 'appendEach')];
    const asked = () => calls.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    const plainly = await generate(big, pieces, 'He ', params, { before: steps() });
    const callsPlainly = asked();
    const result = await generateSpeculative(big, pieces, 'He ', params, { drafter, before: steps() });
    const callsDrafted = asked() - callsPlainly;
    const { ids, text, logprobs, finish_reason } = result;
    expect({ ids, text, logprobs, finish_reason }).toEqual({
      ids: plainly.ids,
      text: plainly.text,
      logprobs: plainly.logprobs,
      finish_reason: plainly.finish_reason,
    });
    expect(result.speculation.accepted).toBeGreaterThan(0);
    expect(callsDrafted).toBe(result.speculation.targetCalls + 1); // and one for the prompt
    expect(callsPlainly).toBe(plainly.ids.length - (plainly.usage.forced_tokens as number));
    expect(callsDrafted).toBeLessThan(callsPlainly);
  });

  it('refuses what is no grammar and no tokenizer', () => {
    expect(() => new GrammarDrafter({} as Grammar, tokenizer)).toThrow('`grammar` must be a Grammar');
    expect(() => new GrammarDrafter(small.choice(['a']), {} as never)).toThrow('`tokenizer` must be a Tokenizer');
  });
});
