/**
 * The examples do what they say: each runs as its own process against the built package, and what it prints is computed
 * here in another way.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadEmbedded } from '../../src/embedded/index.js';
import { generate, restoreSampler } from '../../src/index.js';
import { engineNumerics, exactNumerics } from '../../src/numerics/index.js';
import { requestRng, sample, sampledEntropy } from '../../src/spec.js';
import { orderTable } from './orders.js';
import { labelled, runExample } from './run-example.js';
import { idAt, idsOf, weigh } from './walk.js';

describe('hello.mjs', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = await runExample('hello.mjs');
  });

  it('prints what the functions of the contract give, to the last digit', () => {
    const params = { temperature: 0.8, top_k: 40, top_p: 0.95, min_p: 0.05, repetition_penalty: 1.1 };
    const logits = Float32Array.from([1.5, 0.2, 3.1, -0.7, 2.9, 0.4]);
    const prompt = [3, 1, 4];
    const rng = requestRng(7);
    const history: number[] = [];
    const expected: string[] = [];
    let entropy = 0;
    for (let i = 0; i < 5; i++) {
      entropy = sampledEntropy(logits, params, history, prompt);
      const { id, logprob } = sample(logits, params, history, rng, prompt);
      expected.push(`${id} ${logprob}`);
      history.push(id);
    }
    expect(lines).toEqual([...expected, '5', String(entropy)]);
  });
});

describe('own-processor.mjs', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = await runExample('own-processor.mjs');
  });

  const logits = [1, 3, 2, 3, -1, 0.5];

  it('gives the ids of the rule, from a chain and from the container alike', () => {
    const all = weigh(logits, 0.9, () => true);
    const kept = all.filter(({ id }) => (logits[id] as number) / 0.9 >= 3 / 0.9 - 1.2);
    expect(labelled(lines, 'keeps')).toBe(kept.map(({ id }) => id).join(' '));
    expect(labelled(lines, 'chain')).toBe(idsOf(kept, 7, 12));
    expect(labelled(lines, 'container')).toBe(idsOf(kept, 7, 12));
  });

  it('prints the chain as data, with the options of the own processor', () => {
    expect(JSON.parse(labelled(lines, 'data'))).toEqual([
      { use: 'logprobs' },
      { use: 'temperature', temperature: 0.9 },
      { use: 'near-best', gap: 1.2 },
    ]);
  });

  it('is refused a wrong option in one phrase', () => {
    const refusal = labelled(lines, 'refused');
    expect(refusal).toBe('NearBest: `gap` must be a finite number >= 0, got -2');
  });

  it('draws even ids alone behind the mask', () => {
    const even = weigh(logits, 1, (id) => id === 0 || id === 2); // id 4 is beyond 0.95 of the even ones
    expect(labelled(lines, 'masked')).toBe(idsOf(even, 7, 12));
  });
});

describe('own-module.mjs', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = await runExample('own-module.mjs');
  });

  const logits = [1, 3, 2, 3, -1];

  it('walks where the scripted uniforms say', () => {
    const steps = lines.filter((line) => line.startsWith('u = '));
    const all = weigh(logits, 1, () => true);
    const walked = [0, 0.1, 0.49, 0.51, 0.97, 0.9999].map((u) => `u = ${u}: id ${idAt(all, u)}`);
    expect(steps).toEqual(walked);
    expect(new Set(steps.map((line) => line.at(-1))).size).toBe(5); // every id is visited
  });

  it('finds the same ids and other bits with the numerics of the engine', () => {
    let otherBits = 0;
    for (let i = 0; i < 2000; i++) {
      const varied = Float32Array.from(logits, (l, id) => l + Math.sqrt(i * (id + 1)) / 100);
      if (logSum(varied, exactNumerics) !== logSum(varied, engineNumerics)) otherBits++;
    }
    const found = /^2000 tokens: (\d+) ids agree, (\d+) logprobs have other bits$/.exec(lines.at(-1) as string);
    expect(Number(found?.[1])).toBe(2000);
    expect(Number(found?.[2])).toBeGreaterThan(0);
    expect(Number(found?.[2])).toBeLessThanOrEqual(otherBits); // a difference in ln Z may vanish in the difference
  });
});

/** ln Z of the softmax. */
function logSum(logits: Float32Array, numerics: typeof exactNumerics): number {
  const wide = Float64Array.from(logits);
  return numerics.log(numerics.expSum(wide, wide.length, Math.max(...wide), new Float64Array(wide.length)));
}

describe('order-ablation.mjs', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = await runExample('order-ablation.mjs');
  });

  it('tries the six orders, the one of the spec first', () => {
    const orders = rows(lines).map(({ order }) => order);
    expect(orders[0]).toBe('temperature > top-p > min-p');
    expect(new Set(orders).size).toBe(6);
    for (const order of orders) expect(order.split(' > ').toSorted()).toEqual(['min-p', 'temperature', 'top-p']);
  });

  it('finds the shares that plain arrays and sorts give', () => {
    const shares = rows(lines).map(({ share }) => share);
    expect(shares).toEqual(orderTable(rows(lines).map(({ order }) => order)));
    expect(shares[0]).toBe('0.0');
    expect(shares.filter((share) => share === '0.0')).toHaveLength(1);
  });
});

function rows(lines: readonly string[]): { order: string; share: string }[] {
  return lines.map((line) => {
    const [, order = '', share = ''] = /^([a-z> -]+?)\s+([\d.]+) % of the tokens differ$/.exec(line) ?? [];
    return { order: order.replaceAll(/\s+/g, ' '), share };
  });
}

describe('hand-off.mjs', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = await runExample('hand-off.mjs');
  });

  const params = { seed: 2n ** 63n + 5n, top_p: 0.95, repetition_penalty: 1.2, stop: ['with wine'], max_tokens: 24 };

  it('goes on with the same ids and the same text after the first process was killed', async () => {
    const { model, tokenizer } = await loadEmbedded();
    const { ids, text } = await generate(model, tokenizer, 'And the king said', params);
    expect(labelled(lines, 'stayed')).toBe(ids.join(' '));
    expect(labelled(lines, 'moved')).toBe(ids.join(' '));
    expect(JSON.parse(labelled(lines, 'text'))).toBe(text);
    expect(lines.at(-1)).toBe('the same ids, the same text and the same bits of every logprob');
  });

  it('writes a letter that restores the request at its seventh token', () => {
    const letter = JSON.parse(labelled(lines, 'letter'));
    const restored = restoreSampler(letter.sampler);
    expect(restored.draws).toBe(7);
    expect(restored.seed).toBe(params.seed);
    expect(restored.history.output).toEqual(labelled(lines, 'stayed').split(' ').map(Number).slice(0, 7));
  });

  it('says in a word where there is no redis-server, and moves the letter through a file', async () => {
    const without = await runExample('hand-off.mjs', { PATH: '' });
    expect(labelled(without, 'through')).toBe('a file: there is no redis-server here');
    expect(without.slice(1)).toEqual(lines.slice(1));
  });
});

describe('generate.mjs', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = await runExample('generate.mjs');
  });

  it('prints the text of the seed, the same from the sources as from the built package', async () => {
    const { model, tokenizer } = await loadEmbedded();
    const params = { temperature: 0.8, top_p: 0.95, max_tokens: 60, seed: 7 };
    const { text, ids, logprobs, finish_reason } = await generate(model, tokenizer, 'In the beginning', params);
    expect(lines.slice(0, -2).join('\n')).toBe(`In the beginning${text}`);
    const nats = -logprobs.reduce((sum, logprob) => sum + logprob, 0) / ids.length;
    expect(lines.at(-2)).toBe(`${ids.length} tokens, ${nats.toFixed(3)} nats a token, ended by ${finish_reason}`);
  });

  it('finds the same text on its second run', () => {
    expect(lines.at(-1)).toBe('the same seed gives the same text');
  });
});

describe('json-schema.mjs', () => {
  it('prints JSON that fits its schema, ended by the end id', async () => {
    const lines = await runExample('json-schema.mjs');
    const { name, years, sons, king } = JSON.parse(lines[0] as string);
    expect(name).toMatch(/^[A-Z][a-z]{2,7}$/);
    expect(Number.isInteger(years) && years >= 1 && years <= 969).toBe(true);
    expect(sons.length).toBeLessThanOrEqual(3);
    for (const son of sons) expect(['Shem', 'Ham', 'Japheth']).toContain(son);
    expect(typeof king).toBe('boolean');
    expect(lines[1]).toMatch(/^stop /);
    expect(Number(labelled(lines, 'logprob'))).toBeLessThan(0);
  });
});

describe('beams.mjs', () => {
  it('prints three sequences, the likeliest first, and finds one beam greedy', async () => {
    const lines = await runExample('beams.mjs');
    const scores = lines.slice(1, 4).map((line) => Number(line.trim().split(' ')[0]));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(lines.slice(1, 4)).size).toBe(3);
    expect(lines.at(-1)).toBe('one beam is greedy search');
  });
});

describe('speculation.mjs', () => {
  it('gives the text of plain decoding with fewer calls', async () => {
    const lines = await runExample('speculation.mjs');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const [, tokens, calls] = /: the same text, (\d+) tokens in (\d+) calls/.exec(line)?.map(Number) ?? [];
      expect(tokens).toBe(40);
      expect(calls).toBeLessThan(40);
    }
  });
});
