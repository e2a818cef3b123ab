/**
 * S8: a saved request knows the model, the tokenizer and the numerics that it was made with, and a step that was given as
 * an object goes on as one.
 */
import { describe, expect, it } from 'vitest';
import { Constrained, constraintFrom, Mask } from '../../processors/index.js';
import { createContainer, PARTS } from '../../src/container/index.js';
import { EmbeddedModel, EmbeddedTokenizer, loadEmbedded, Safetensors } from '../../src/embedded/index.js';
import {
  createSampler,
  type GenerationState,
  generate,
  type LanguageModel,
  restoreGeneration,
  restoreSampler,
  saveSampler,
  type Tokenizer,
} from '../../src/index.js';
import { engineNumerics, exactNumerics, plainNumerics, wasmNumerics } from '../../src/numerics/index.js';
import { fixtureBytes, fixtureJson } from '../embedded/fixture-files.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const pieces = () => new PieceTokenizer(['a', 'b', 'c']);
const letters = pieces();
const PARAMS = { seed: 3, max_tokens: 6 } as const;

function model(): ScriptedModel {
  return new ScriptedModel(3, 50, [], () => [1, 2, 3]);
}

/** `given` under the name `id`. */
function named<T extends LanguageModel | Tokenizer>(given: T, id: unknown): T {
  return Object.defineProperty(given, 'id', { value: id });
}

function json<T>(state: T): T {
  return JSON.parse(JSON.stringify(state));
}

/** Saved after two tokens. */
async function half(m: LanguageModel, t: Tokenizer, options = {}): Promise<GenerationState> {
  const generation = generate(m, t, [0], PARAMS, options);
  const events = generation[Symbol.asyncIterator]();
  await events.next();
  await events.next();
  return json(generation.save());
}

describe('a saved generation', () => {
  it('says who its model and its tokenizer are, and goes on with those of the same names', async () => {
    const saved = await half(named(model(), 'm-1'), named(pieces(), 't-1'));
    expect(saved.model.id).toBe('m-1');
    expect(saved.tokenizer).toEqual({ id: 't-1', vocabSize: 3 });
    const whole = await generate(model(), letters, [0], PARAMS);
    const rest = await restoreGeneration(named(model(), 'm-1'), named(pieces(), 't-1'), saved);
    expect(rest.ids).toEqual(whole.ids.slice(2));
  });

  it.each([
    ['another model', 'm-2', 't-1', '`model.id` must be "m-2", that of the model given, got "m-1"'],
    ['a model that does not say', undefined, 't-1', '`model.id` must be null, that of the model given, got "m-1"'],
    ['another tokenizer', 'm-1', 't-2', '`tokenizer.id` must be "t-2", that of the tokenizer given, got "t-1"'],
  ])('is refused by %s of the same sizes', async (_, modelId, tokenizerId, message) => {
    const saved = await half(named(model(), 'm-1'), named(pieces(), 't-1'));
    expect(() => restoreGeneration(named(model(), modelId), named(pieces(), tokenizerId), saved)).toRefuse(
      `GenerationState: ${message}`,
    );
  });

  it('of a model that does not say is refused by one that does, and by a tokenizer of another size', async () => {
    const saved = await half(model(), letters);
    expect(() => restoreGeneration(named(model(), 'm-1'), letters, saved)).toThrow('`model.id` must be "m-1"');
    const two = new PieceTokenizer(['a', 'b']);
    expect(() => restoreGeneration(model(), two, saved)).toThrow('`tokenizer.vocabSize` must be 2');
  });

  it.each([5, '', null])('is not made of a model or a tokenizer that says it is %o', (id) => {
    expect(() => generate(named(model(), id), letters, [0]).save()).toThrow(
      'generate: `model.id` must be a non-empty string or absent',
    );
    expect(() => generate(model(), named(pieces(), id), [0]).save()).toThrow(
      'generate: `tokenizer.id` must be a non-empty string or absent',
    );
  });
});

describe('the embedded model', () => {
  const config = fixtureJson('config.json') as Record<string, unknown>;
  const weights = Uint8Array.from(fixtureBytes('weights.safetensors'));
  const tokenizer = fixtureJson('tokenizer.json') as { model: { merges: unknown[] } };

  it('is who its weights and its config are', async () => {
    const embedded = await loadEmbedded();
    const again = new EmbeddedModel({ ...config, comment: 'not read' }, new Safetensors(weights.slice()));
    expect(embedded.model.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(again.id).toBe(embedded.model.id);
    const shorter = new EmbeddedModel({ ...config, end_ids: [] }, new Safetensors(weights));
    expect(shorter.id).not.toBe(again.id);
    const last = weights.slice();
    last[last.length - 1] = (last.at(-1) as number) ^ 1; // one bit of one weight
    expect(new EmbeddedModel(config, new Safetensors(last)).id).not.toBe(again.id);
  });

  it('has a tokenizer that is who its vocabulary is', async () => {
    const embedded = await loadEmbedded();
    expect(embedded.tokenizer.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(new EmbeddedTokenizer(structuredClone(tokenizer)).id).toBe(embedded.tokenizer.id);
    const other = structuredClone(tokenizer);
    other.model.merges.pop();
    expect(new EmbeddedTokenizer(other).id).not.toBe(embedded.tokenizer.id);
  });

  it('refuses what other weights of the same sizes began', async () => {
    const embedded = await loadEmbedded();
    const last = weights.slice();
    last[last.length - 1] = (last.at(-1) as number) ^ 1;
    const other = new EmbeddedModel(config, new Safetensors(last));
    const saved = json(generate(other, embedded.tokenizer, 'In', { seed: 1 }).save());
    expect(() => restoreGeneration(embedded.model, embedded.tokenizer, saved)).toThrow('`model.id` must be "sha256:');
  });
});

describe('the numerics of a saved request', () => {
  const withNumerics = (numerics: typeof exactNumerics) => {
    const container = createContainer();
    container.rebind(PARTS.numerics).toConstantValue(numerics);
    return container;
  };

  it('are told by their values: another way through the same values goes on', () => {
    const saved = saveSampler(createSampler({ seed: 1 }, { container: withNumerics(exactNumerics) }));
    expect(saved.numerics).toBe('exact');
    expect(restoreSampler(json(saved), { container: withNumerics(wasmNumerics) }).draws).toBe(0);
    expect(restoreSampler(json(saved)).draws).toBe(0);
  });

  it.each([
    { numerics: engineNumerics, name: 'engine' },
    { numerics: plainNumerics('mine', Math.exp, Math.log), name: 'mine' },
  ])('that are $name are refused where they were exact, and the other way round', ({ numerics, name }) => {
    const exact = json(saveSampler(createSampler({ seed: 1 })));
    expect(() => restoreSampler(exact, { container: withNumerics(numerics) })).toRefuse(
      `SamplerState: \`numerics\` must be "${name}", the numerics here, got "exact"`,
    );
    const other = json(saveSampler(createSampler({ seed: 1 }, { container: withNumerics(numerics) })));
    expect(() => restoreSampler(other)).toThrow(`got "${name}"`);
    const saved = generate(model(), letters, [0], PARAMS, { container: withNumerics(numerics) }).save();
    expect(() => restoreGeneration(model(), letters, saved)).toThrow('SamplerState: `numerics` must be "exact"');
  });
});

describe('a step that was given as an object', () => {
  /** a, then b, then c, and again. */
  const inTurn = (name?: string) =>
    new Constrained(
      constraintFrom((ids) => [ids.length % 3], []),
      name === undefined ? {} : { name, options: { rule: 'in turn' } },
    );

  it('goes on where it was, as one of the same name given again in `steps`', async () => {
    const saved = await half(model(), letters, { before: [inTurn()] });
    expect(saved.sampler.output).toEqual([0, 1]);
    const rest = await restoreGeneration(model(), letters, saved, { steps: [inTurn()] });
    expect(rest.ids).toEqual([2, 0, 1, 2]);
  });

  it('is told of where it is missing', async () => {
    const saved = await half(model(), letters, { before: [inTurn()] });
    expect(() => restoreGeneration(model(), letters, saved)).toThrow(
      /`use` must be one of .*, or that of a step given in `steps`, got "constraint"/,
    );
  });

  it('takes its place among several by name and order', async () => {
    const mask = new Mask();
    mask.set({ ban: [] });
    const saved = await half(model(), letters, { before: [inTurn('first'), mask, inTurn('second')] });
    const other = new Mask();
    other.set({ ban: [] });
    const steps = [other, inTurn('first'), inTurn('second')];
    expect((await restoreGeneration(model(), letters, saved, { steps })).ids).toEqual([2, 0, 1, 2]);
  });

  it('is refused where it is no step of the saved chain, none at all, or has other options', async () => {
    const saved = await half(model(), letters, { before: [inTurn('mine')] });
    const restore = (steps: unknown) => restoreGeneration(model(), letters, saved, { steps: steps as never });
    expect(() => restore([inTurn('mine'), inTurn('more')])).toRefuse(
      'restoreSampler: `steps` must be steps of the saved chain, got "more"',
    );
    expect(() => restore([5])).toThrow('restoreSampler: `steps[0]` must be a processor');
    expect(() => restore(5)).toRefuse('restoreGeneration: `steps` must be an array of processors, got 5');
    const other = new Constrained(
      constraintFrom(() => [0], []),
      { name: 'mine' },
    );
    expect(() => restore([other])).toThrow('SamplerState: `fingerprint` must be ');
  });

  it('is refused where what is behind it has another version, by the name of the step', async () => {
    const versioned = (version?: string) => Object.assign(inTurn('mine'), version === undefined ? {} : { version });
    const saved = await half(model(), letters, { before: [versioned('engine 1')] });
    expect(saved.sampler.versions).toEqual({ mine: 'engine 1' });
    const restore = (version?: string, state = saved) =>
      restoreGeneration(model(), letters, json(state), { steps: [versioned(version)] });
    expect((await restore('engine 1')).ids).toEqual([2, 0, 1, 2]);
    expect(() => restore('engine 2')).toRefuse(
      'SamplerState: `versions.mine` must be "engine 2", that of the step made here, got "engine 1"',
    );
    expect(() => restore()).toRefuse(
      'SamplerState: `versions.mine` must be absent, as the step made here has none, got "engine 1"',
    );
    const { versions: _, ...rest } = saved.sampler;
    expect(() => restore('engine 1', { ...saved, sampler: rest })).toRefuse(
      'SamplerState: `versions.mine` must be "engine 1", that of the step made here, got undefined',
    );
    const named = { ...saved.sampler, versions: { mine: 'engine 1', constructor: 'x' } };
    expect(() => restore('engine 1', { ...saved, sampler: named })).toRefuse(
      'SamplerState: `versions.constructor` must be absent, as the step made here has none, got "x"',
    );
    const edited = { ...saved.sampler, versions: { mine: 'engine 2' } };
    expect(() => restore('engine 2', { ...saved, sampler: edited })).toThrow('SamplerState: `fingerprint` must be ');
  });

  it('is restored in a sampler likewise', () => {
    const sampler = createSampler({ seed: 1 }, { before: [inTurn()] });
    sampler.sample([0, 0, 0]);
    const again = restoreSampler(json(saveSampler(sampler)), { steps: [inTurn()] });
    expect([again.sample([0, 0, 0]).id, again.sample([0, 0, 0]).id]).toEqual([1, 2]);
  });
});
