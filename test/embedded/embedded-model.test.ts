import { describe, expect, it } from 'vitest';
import { EmbeddedModel } from '../../src/embedded/embedded-model.js';
import { Safetensors } from '../../src/embedded/safetensors.js';
import { expectSameBits, firstDifference } from '../support/bits.js';
import { f32, safetensorsFile } from '../support/safetensors-file.js';
import { TINY, tinyModel, tinyTensors, tinyWeights } from '../support/tiny-model.js';
import { fixtureBytes, fixtureJson, torchCases } from './fixture-files.js';
import { plainLogits } from './plain-pass.js';

const WEIGHTS = new Safetensors(fixtureBytes('weights.safetensors'), 'weights.safetensors');
const MODEL = new EmbeddedModel(fixtureJson('config.json'), WEIGHTS);
const CONFIG = fixtureJson('config.json') as typeof TINY;

describe('EmbeddedModel', () => {
  it('says what its config says', () => {
    expect(MODEL.vocabSize).toBe(CONFIG.vocab_size);
    expect(MODEL.contextLength).toBe(CONFIG.n_ctx);
    expect(MODEL.beginId).toBe(CONFIG.begin_id);
    expect(MODEL.endIds).toEqual(CONFIG.end_ids);
    expect(Object.isFrozen(MODEL.endIds)).toBe(true);
  });

  it('has no begin token where the config has none', () => {
    const { begin_id: _, ...config } = TINY;
    expect(new EmbeddedModel(config, tinyWeights()).beginId).toBeUndefined();
  });

  it.each(torchCases())('gives the logits of PyTorch within 1e-4: $name', ({ ids, logits }) => {
    const session = MODEL.open();
    let compared = 0;
    for (const [position, expected] of [...logits].sort(([a], [b]) => a - b)) {
      const actual = session.append(ids.slice(session.length, position + 1));
      expect(actual).toHaveLength(expected.length);
      for (const [i, logit] of actual.entries()) {
        const difference = Math.abs(logit - (expected[i] as number));
        if (!(difference <= 1e-4)) expect.fail(`position ${position}, id ${i}: ${logit}, PyTorch ${expected[i]}`);
        compared++;
      }
    }
    expect(compared).toBe(logits.size * MODEL.vocabSize);
    expect(compared).toBeGreaterThan(0);
  });

  it('gives the bits of the plain pass, whose sums run in the promised order', () => {
    for (const seed of [1, 2, 3]) {
      const weights = tinyWeights(seed);
      const session = tinyModel(seed).open();
      const ids = Array.from({ length: TINY.n_ctx }, (_, i) => (7 * i * i + seed) % TINY.vocab_size);
      for (const [i, id] of ids.entries()) {
        const expected = Float32Array.from(plainLogits(TINY, weights, ids.slice(0, i + 1)));
        expectSameBits(session.append([id]), expected, `seed ${seed}, position ${i}`);
      }
    }
  });

  it('gives the bits of the plain pass with the real weights', () => {
    const ids = (torchCases()[1]?.ids ?? []).slice(0, 4);
    expectSameBits(MODEL.open().append(ids), Float32Array.from(plainLogits(CONFIG, WEIGHTS, ids)));
  });

  it('makes each position depend on those before it and on no later one', () => {
    const ids = [3, 1, 4, 1, 5];
    const session = tinyModel().open();
    const third = session.append(ids.slice(0, 3)).slice();
    session.append(ids.slice(3));
    const other = tinyModel().open();
    expectSameBits(other.append(ids.slice(0, 3)), third);
    expect(firstDifference(tinyModel().open().append([2, 1, 4]), third)).toBe(0);
  });
});

describe('EmbeddedModel, given what does not fit', () => {
  it.each<[string, unknown, string]>([
    ['model_type', 'gpt2', '"llama"'],
    ['vocab_size', 36, 'a positive multiple of 8'],
    ['vocab_size', 0, 'a positive multiple of 8'],
    ['vocab_size', '40', 'a positive multiple of 8'],
    ['hidden_size', 12, 'a positive multiple of 8'],
    ['head_dim', 4, 'a positive multiple of 8'],
    ['intermediate_size', -8, 'a positive multiple of 8'],
    ['num_hidden_layers', 1.5, 'an integer >= 0'],
    ['num_attention_heads', 0, 'an integer >= 1'],
    ['rms_norm_eps', -1, 'a finite number >= 0'],
    ['n_ctx', 0, 'an integer >= 1'],
    ['n_ctx', undefined, 'an integer >= 1'],
    ['tie_word_embeddings', false, 'true'],
    ['begin_id', 40, 'an integer in [0, 40)'],
    ['begin_id', -1, 'an integer >= 0'],
    ['end_ids', 1, 'an array of integers >= 0'],
  ])('refuses a config whose %s is %j', (name, value, domain) => {
    const config = { ...TINY, [name]: value };
    const got = typeof value === 'string' ? JSON.stringify(value) : String(value);
    expect(() => new EmbeddedModel(config, tinyWeights())).toRefuse(
      `EmbeddedModel: \`${name}\` must be ${domain}, got ${got}`,
    );
  });

  it('refuses an end id outside the vocabulary and a config that is no object', () => {
    expect(() => new EmbeddedModel({ ...TINY, end_ids: [1, 40] }, tinyWeights())).toRefuse(
      'EmbeddedModel: `end_ids[1]` must be an integer in [0, 40), got 40',
    );
    expect(() => new EmbeddedModel(null, tinyWeights())).toRefuse(
      'EmbeddedModel: `config` must be a plain object, got null',
    );
  });

  it.each(Object.keys(tinyTensors()))('refuses weights without %s', (name) => {
    const { [name]: _, ...others } = tinyTensors();
    const weights = new Safetensors(safetensorsFile(others), 'w');
    expect(() => new EmbeddedModel(TINY, weights)).toRefuse(
      `Safetensors: \`name\` must be a tensor of w, got "${name}"`,
    );
  });

  it('refuses a tensor of another shape', () => {
    const tensors = { ...tinyTensors(), 'model.norm.weight': f32([17], new Float32Array(17)) };
    expect(() => new EmbeddedModel(TINY, new Safetensors(safetensorsFile(tensors)))).toRefuse(
      'Safetensors: `model.norm.weight` must be a tensor of shape [16], got [17]',
    );
  });

  it('refuses a tensor that the pass has no use for', () => {
    const tensors = { ...tinyTensors(), 'model.layers.0.self_attn.q_proj.bias': f32([24], new Float32Array(24)) };
    expect(() => new EmbeddedModel(TINY, new Safetensors(safetensorsFile(tensors)))).toRefuse(
      'EmbeddedModel: `model.layers.0.self_attn.q_proj.bias` must be absent from the weights, got "shape [24]"',
    );
  });
});
