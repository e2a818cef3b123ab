import { describe, expect, it } from 'vitest';
import type { Tokenizer } from '../../../processors/index.js';
import { CandidateSet } from '../../../src/core.js';
import { beamSearch, createChain, createSampler, restoreSampler, saveSampler, TextBias } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { ScriptedModel } from '../../support/scripted-model.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds, stepContext } from './plain-masks.js';

const M = -Infinity;

/** A letter is an id: a is 0. */
const tokenizer: Tokenizer = {
  id: 'letters',
  vocabSize: 5,
  encode: (text) => Array.from(text, (letter) => letter.charCodeAt(0) - 97),
  tokenBytes: (id) => Uint8Array.of(97 + id),
};

describe('TextBias', () => {
  it.each([
    { bias: { b: 2 }, prompt: [], output: [], added: [0, 2, 0, 0, 0], why: 'one id, always' },
    { bias: { ab: 2 }, prompt: [], output: [], added: [0, 0, 0, 0, 0], why: 'two ids, not begun' },
    { bias: { ab: -2 }, prompt: [], output: [0], added: [0, -2, 0, 0, 0], why: 'begun' },
    { bias: { ab: 2 }, prompt: [0], output: [], added: [0, 2, 0, 0, 0], why: 'begun by the prompt' },
    { bias: { cab: 2 }, prompt: [2], output: [0], added: [0, 2, 0, 0, 0], why: 'begun across the end of the prompt' },
    { bias: { cab: 2 }, prompt: [], output: [0], added: [0, 0, 0, 0, 0], why: 'the context is shorter' },
    { bias: { ab: 2 }, prompt: [], output: [0, 3], added: [0, 0, 0, 0, 0], why: 'begun and left' },
    { bias: { b: 2, ab: 0.5, c: 1 }, prompt: [], output: [0], added: [0, 2.5, 1, 0, 0], why: 'biases of one id add' },
    { bias: { b: 2 }, prompt: [], output: [], logits: [1, M, 3], added: [0, 0, 0], why: 'what is masked stays masked' },
  ])('$bias after $prompt and $output: $why', ({ bias, prompt, output, added, logits = [1, 2, 3, 4, 5] }) => {
    const biased = logits.map((l, i) => l + (added[i] as number));
    expectSameBits(logitsAfter(new TextBias({ bias }, tokenizer), logits, { prompt, output }), biased);
  });

  it('sums in the order of the texts, however they were given', () => {
    const texts = { cb: 0.3, ab: 0.1, b: 0.2 };
    const turned = { b: 0.2, ab: 0.1, cb: 0.3 };
    const biasedBy = (bias: Record<string, number>, output: number[]) =>
      logitsAfter(new TextBias({ bias }, { ...tokenizer, encode: () => [1] }), [0, 0], { prompt: [], output });
    expectSameBits(biasedBy(texts, []), [0, 0.1 + 0.2 + 0.3]);
    expectSameBits(biasedBy(turned, []), [0, 0.1 + 0.2 + 0.3]);
  });

  agreesWithPlainArrays((random, V) => {
    const words = Array.from({ length: 1 + random.below(5) }, () => randomIds(random, Math.min(V, 4), 3, 1));
    const bias = Object.fromEntries(words.map((_, i) => [`text ${i}`, 4 * random.uniform() - 2]));
    const encode = (text: string) => words[Number(text.slice(5))] as number[];
    return {
      step: new TextBias({ bias }, { ...tokenizer, encode }),
      rule: (l, { prompt, output }) => {
        if (words.flat().some((id) => id >= V)) return undefined;
        const context = [...prompt, ...output];
        const sums = new Map<number, number>();
        for (const [i, ids] of words.entries()) {
          const before = ids.slice(0, -1);
          if (before.length > 0 && context.slice(-before.length).join() !== before.join()) continue;
          const last = ids.at(-1) as number;
          sums.set(last, (sums.get(last) ?? 0) + (bias[`text ${i}`] as number));
        }
        return l.map((x, id) => (sums.has(id) ? x + (sums.get(id) as number) : x));
      },
    };
  });

  it('is off without texts', () => {
    expect(new TextBias({ bias: {} }, tokenizer).active).toBe(false);
    expect(new TextBias({ bias: { a: 0 } }, tokenizer).active).toBe(true);
  });

  it('refuses where a logit would overflow, and changes nothing', () => {
    const message = 'TextBias: `bias.b` must be small enough that no logit overflows, got 1e+308';
    const set = new CandidateSet();
    set.load([0, 1.7e308, 0]);
    const step = new TextBias({ bias: { a: 1, b: 1e308 } }, tokenizer);
    expect(() => step.process(set, stepContext())).toRefuse(message);
    expectSameBits(set.toLogits(), [0, 1.7e308, 0]);
  });

  it('refuses an id that is not below V', () => {
    const message = 'TextBias: `bias.da[0]` must be an integer in [0, 3), got 3';
    expectUnchanged(new TextBias({ bias: { da: 1 } }, tokenizer), [0, 0, 0], message);
  });

  it.each([
    { bias: { '': 1 }, message: '`bias.` must be absent (the keys are texts, not empty), got 1' },
    { bias: { a: Infinity }, message: '`bias.a` must be a finite number, got Infinity' },
    { bias: { a: '1' }, message: '`bias.a` must be a finite number, got "1"' },
    { bias: [1], message: '`bias` must be an object from texts to finite numbers, got [1]' },
    { bias: undefined, message: '`bias` must be an object from texts to finite numbers, got undefined' },
  ])('refuses the biases $bias', ({ bias, message }) => {
    expect(() => new TextBias({ bias } as never, tokenizer)).toRefuse(`TextBias: ${message}`);
  });

  it('needs the tokenizer of the request', () => {
    expect(() => createSampler({}, { chain: [{ use: 'text-bias', bias: { a: 1 } }] })).toRefuse(
      'text-bias: `tokenizer` must be there, as the processor needs it: the option `tokenizer`, or TOKENS.tokenizer bound ' +
        'in the container (the request has nothing), got undefined',
    );
    expect(() => new TextBias({ bias: { a: 1 } }, undefined as never)).toThrow('TextBias: `tokenizer` must be there');
  });

  it('has its texts in the chain as data, and goes on where it was saved', () => {
    const data = [{ use: 'text-bias', bias: { ab: 3, c: -1 } }, { use: 'logprobs' }];
    const chain = createChain(data, { tokenizer });
    expect(chain.toData()).toEqual(data);
    const sampler = createSampler({ seed: 1 }, { chain, prompt: [0] });
    const saved = JSON.parse(JSON.stringify(saveSampler(sampler)));
    const row = [0, 0, 0, 0, 0];
    expect(restoreSampler(saved, { tokenizer }).sample(row)).toEqual(sampler.sample(row));
    expect(() => restoreSampler(saved, { tokenizer: { ...tokenizer, id: 'other' } })).toThrow('versions.text-bias');
  });

  it('biases each beam by its own text', async () => {
    const model = new ScriptedModel(5, 20, [], () => [1, 0, 0, 0, 0]);
    const chain = [{ use: 'text-bias', bias: { ab: 5, bc: 5 } }];
    const params = { num_beams: 2, max_tokens: 3 };
    const { sequences } = await beamSearch(model, [3], params, { chain, tokenizer });
    expect(sequences[0]?.text).toBe('abc');
  });
});
