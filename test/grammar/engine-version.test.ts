/**
 * The engine's version in saved requests with a grammar: another engine's masks may be others, so it does not go on.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Constrained } from '../../processors/constraints/constrained.js';
import { createContainer, grammarModule } from '../../src/container/index.js';
import { ENGINE_VERSION } from '../../src/grammar/engine/engine-version.js';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';
import {
  createSampler,
  generate,
  ProcessorChain,
  restoreGeneration,
  restoreSampler,
  saveSampler,
} from '../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const tokenizer = new PieceTokenizer(['a', 'b', '']);
const model = () => new ScriptedModel(3, 50, [2], () => [0, 0, 0], 0);
const OTHER = 'llguidance 1.9.0, 0123456789abcdef';
let grammars: Grammars;

beforeAll(async () => {
  grammars = await createGrammars({ tokenizer, endIds: [2] });
});

afterAll(() => grammars.dispose());

describe('the version of the engine', () => {
  const container = () => createContainer(grammarModule(grammars));
  const chain = [{ use: 'grammar', regex: '[ab]{4}' }];

  it('is in the state of a sampler with a grammar, beside its fingerprint, and in no other', () => {
    const state = saveSampler(createSampler({ seed: 1 }, { chain, container: container() }));
    expect(state.versions).toEqual({ grammar: ENGINE_VERSION });
    const plain = saveSampler(createSampler({ seed: 1 }));
    expect(Object.keys(plain)).not.toContain('versions');
    const step = new Constrained(grammars.choice(['a']).constraint());
    expect(new ProcessorChain([step]).versions()).toEqual({ constraint: ENGINE_VERSION });
  });

  it('of another engine is refused by name, in a sampler and in a generation', async () => {
    const sampler = saveSampler(createSampler({ seed: 1 }, { chain, container: container() }));
    const message = `SamplerState: \`versions.grammar\` must be "${ENGINE_VERSION}", that of the step made here, got "${OTHER}"`;
    expect(() => restoreSampler({ ...sampler, versions: { grammar: OTHER } }, { container: container() })).toRefuse(
      message,
    );
    const generation = generate(model(), tokenizer, [], { seed: 1 }, { chain, container: container() });
    const saved = generation.save();
    const { ids } = await generation;
    expect((await restoreGeneration(model(), tokenizer, saved, { container: container() })).ids).toEqual(ids);
    const other = { ...saved, sampler: { ...saved.sampler, versions: { grammar: OTHER } } };
    const asked = model();
    expect(() => restoreGeneration(asked, tokenizer, other, { container: container() })).toRefuse(message);
    expect(asked.opened).toBe(0);
  });

  it('is part of the fingerprint', () => {
    const { chain: made } = createSampler({ seed: 1 }, { chain, container: container() });
    const step = { name: 'grammar', stage: 'scores', process: () => {}, options: { regex: '[ab]{4}' } } as const;
    const unversioned = new ProcessorChain([step]);
    expect(unversioned.toData()).toEqual(made.toData());
    expect(unversioned.fingerprint()).not.toBe(made.fingerprint());
    const same = new ProcessorChain([{ ...step, version: ENGINE_VERSION }]);
    expect(same.fingerprint()).toBe(made.fingerprint());
  });
});
