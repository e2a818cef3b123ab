/**
 * Mirostat and adaptive-p against the committed sequences of fixtures/adaptive, which a plain transcription in Python made.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CandidateSet, inverseCdf, type ProcessorChain, stream, TokenHistory } from '../../../src/core.js';
import { createChain, createSampler, restoreSampler, saveSampler } from '../../../src/index.js';
import { exactNumerics } from '../../../src/numerics/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { hex } from '../../support/bits.js';

interface Sequences {
  readonly alphabet: string;
  readonly tokens: number;
  readonly vocab: number;
  readonly seeds: readonly [number, number];
  readonly runs: readonly { use: string; options: object; ids: string; state: string[] }[];
}

const file = new URL('../../../fixtures/adaptive/sequences.json', import.meta.url);
const { alphabet, tokens, vocab, seeds, runs } = JSON.parse(readFileSync(file, 'utf8')) as Sequences;
const [LOGITS_SEED, SEED] = seeds;

function rows(count: number): Float64Array[] {
  const random = new Pcg32(LOGITS_SEED);
  return Array.from({ length: count }, (_, t) =>
    Float64Array.from({ length: vocab }, () => ((random.nextU32() >>> 24) - 128) / (t % 2 === 0 ? 32 : 16)),
  );
}

const ROWS = rows(tokens);
const lettersOf = (ids: readonly number[]) => ids.map((id) => alphabet[id]).join('');
const bitsOf = (state: unknown) =>
  [state].flatMap((s) => (typeof s === 'number' ? s : Object.values(s as object))).map(hex);

describe.each(runs)('$use over 10,000 tokens', ({ use, options, ids, state }) => {
  const chain = () => createChain([{ use: 'logprobs' }, { use, ...options }]);

  it('gives the ids of the transcription, and ends in its state', () => {
    const own = chain();
    const sampler = createSampler({ seed: SEED }, { chain: own });
    const found = ROWS.map((row) => sampler.sample(row).id);
    expect(ids).toHaveLength(10_000);
    expect(lettersOf(found)).toBe(ids);
    expect(own.save().flatMap(bitsOf)).toEqual(state);
    expect(sampler.draws).toBe(tokens);
  });

  it('gives them with a step that is saved and restored at every token', () => {
    const uniforms = stream(SEED, 'sample');
    const set = new CandidateSet();
    const history = new TokenHistory([], []);
    let saved = JSON.stringify(chain().save());
    const found = ROWS.map((row) => {
      const own: ProcessorChain = chain();
      own.restore(JSON.parse(saved));
      set.load(row);
      own.process(set, { history, numerics: exactNumerics, uniform: () => expect.fail('the step draws nothing') });
      const id = inverseCdf(set, uniforms.uniform());
      own.accept(id, set);
      saved = JSON.stringify(own.save());
      return id;
    });
    expect(lettersOf(found)).toBe(ids);
  });

  it('gives them in a request that is saved and restored at every token', () => {
    let letter = JSON.stringify(saveSampler(createSampler({ seed: SEED }, { chain: chain() })));
    const found = ROWS.slice(0, 300).map((row) => {
      const sampler = restoreSampler(JSON.parse(letter));
      const { id } = sampler.sample(row);
      letter = JSON.stringify(saveSampler(sampler));
      return id;
    });
    expect(lettersOf(found)).toBe(ids.slice(0, 300));
  });
});
