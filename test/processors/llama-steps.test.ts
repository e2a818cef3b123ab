/**
 * Steps that llama.cpp has too, against what its shared library gives: fixtures/llama-steps, whose README says how it was made.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AdaptiveP, Mirostat, MirostatV2 } from '../../processors/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { apply, kept } from './step.js';

interface Run {
  readonly use: string;
  readonly options: object;
  readonly seed: number;
  readonly selected: string;
  readonly found: readonly (string | number[])[];
}

const file = new URL('../../fixtures/llama-steps/llama.json', import.meta.url);
const { alphabet, runs } = JSON.parse(readFileSync(file, 'utf8')) as { alphabet: string; runs: Run[] };

function rowsOf(seed: number, count: number): number[][] {
  const random = new Pcg32(seed);
  const l = (id: number) => ((random.nextU32() >>> 20) - 2048) / 512 + id / 32768;
  return Array.from({ length: count }, () => Array.from({ length: alphabet.length }, (_, id) => l(id)));
}

/** How far our logits may be from theirs, which are float32 in 7 digits. */
const NEAR = 2e-5;
const of = (name: string) => runs.filter(({ use }) => use === name);
const title = (run: Run) => [JSON.stringify(run.options), run] as const;

describe('beside llama.cpp', () => {
  it.each([...of('mirostat'), ...of('mirostat-v2')].map(title))('keeps the same ids, with %s', (_, run) => {
    const step = new (run.use === 'mirostat' ? Mirostat : MirostatV2)(run.options);
    for (const [t, row] of rowsOf(run.seed, run.found.length).entries()) {
      const set = apply(step, row);
      expect(
        kept(set)
          .map((id) => alphabet[id])
          .join(''),
        `token ${t}`,
      ).toBe(run.found[t]);
      const id = alphabet.indexOf(run.selected[t] as string);
      step.accept(id, { probability: set.probability(id) });
    }
  });

  it.each(of('adaptive-p').map(title))('makes the same logits but for rounding, with %s', (_, run) => {
    const step = new AdaptiveP(run.options as never);
    for (const [t, row] of rowsOf(run.seed, run.found.length).entries()) {
      const q = [...apply({ name: 'nothing', process: () => {} }, row).toProbabilities()];
      const far = [...apply(step, row).toLogits()].map((l, id) =>
        Math.abs(l - ((run.found[t] as number[])[id] as number)),
      );
      expect(Math.max(...far), `token ${t}`).toBeLessThan(NEAR);
      const id = alphabet.indexOf(run.selected[t] as string);
      step.accept(id, { probability: q[id] });
    }
  });
});
