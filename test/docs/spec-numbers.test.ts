/**
 * The numbers that the spec gives to check a transcription by are those of the library.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Pcg32, stream } from '../../src/random/pcg32.js';
import { childSeed } from '../../src/random/seed.js';
import { processLogits, sample, samplingDistribution } from '../../src/spec.js';
import { pagesOf, ROOT } from './markdown.js';

const TEXT = pagesOf('docs/SPEC.md')[0]?.text ?? '';

/** The cell beside `what` in the table of numbers. */
function shown(what: string): string {
  return TEXT.split(`| ${what} | `)[1]?.split(' |')[0] ?? `no number for ${what}`;
}

function outputs(seed: number, count: number): number[] {
  const generator = new Pcg32(seed);
  return Array.from({ length: count }, () => generator.nextU32());
}

describe('the numbers of the spec', () => {
  it('of PCG32 are the outputs of the generator', () => {
    expect(shown('first six outputs of PCG32(42)')).toBe(
      outputs(42, 6)
        .map((x) => x.toString(16).padStart(8, '0'))
        .join(' '),
    );
    expect(shown('first four outputs of PCG32(0)')).toBe(outputs(0, 4).join(' '));
    expect(shown('first four outputs of PCG32(1)')).toBe(outputs(1, 4).join(' '));
    expect(shown('state of PCG32(0) after seeding').toLowerCase()).toBe(new Pcg32(0).save().state);
  });

  it('of streams are those of the seed', () => {
    expect(BigInt(`0x${shown('child_seed(0, sample)')}`)).toBe(childSeed(0, 'sample'));
    const first = shown('first uniform of stream(0, sample)').replace('…', '');
    expect(String(stream(0, 'sample').uniform()).startsWith(first)).toBe(true);
  });

  it('of the worked example are what the functions give', () => {
    const x = [1, 3, 2, 3, -1];
    const params = { top_k: 3, top_p: 0.8 };
    const { id, logprob } = sample(x, params, [], stream(0, 'sample'));
    expect(TEXT).toContain(`The token is id ${id} with the logprob ${logprob.toFixed(5)}…`);
    const list = (values: Float64Array) => `[${[...values].join(', ')}]`;
    expect(TEXT).toContain(`gives ${list(processLogits(x, params))}`);
    expect(TEXT).toContain(`gives ${list(samplingDistribution(x, params))}`);
  });

  it('of the golden cases are those of the file', () => {
    const { cases } = JSON.parse(readFileSync(`${ROOT}/fixtures/sampler_golden.json`, 'utf8'));
    const one = TEXT.replace(/\s+/g, ' ');
    for (const name of ['plain', 'all_filters']) {
      const found = cases.find((each: { name: string }) => each.name === name);
      expect(one).toContain(`${found.ids.join(' ')} with the first logprob ${found.logprobs[0]}`);
    }
  });
});
