/**
 * Processors in beams: each beam with its own history and state, and what happens when nothing may come.
 */
import { describe, expect, it } from 'vitest';
import { type Candidates, Constrained, constraintFrom, type LogitsProcessor } from '../../../processors/index.js';
import { CandidateSet, TokenHistory } from '../../../src/core.js';
import { beamSearch } from '../../../src/decode/beams/beam-search.js';
import {
  AllowedTokens,
  BadWords,
  BannedTokens,
  InvalidValueError,
  LogitBias,
  MinTokens,
  NoRepeatNgram,
  NothingLeftError,
  ProcessorChain,
  SuppressAtBegin,
} from '../../../src/index.js';
import { exactNumerics, log } from '../../../src/numerics/index.js';
import { everySequence } from './brute-force.js';
import { noiseAfter, noiseModel, saysProbabilities } from './worlds.js';

const RULES = ['spec', 'hf'] as const;
const END = 0;

/** Texts of 1 and 2 with as many of each at the end, never more 2 than 1. */
function balanced(ids: readonly number[]): number[] {
  const depth = ids.reduce((sum, id) => sum + (id === 1 ? 1 : -1), 0);
  return depth === 0 ? [1, ...(ids.length > 0 ? [END] : [])] : [1, 2];
}

describe('a constraint in beams', () => {
  it('keeps every beam in the language, and exhaustive beams find the best of it', async () => {
    for (let seed = 0; seed < 8; seed++) {
      const before = [new Constrained(constraintFrom(balanced, [END]))];
      const params = { num_beams: 243, num_return_sequences: 243, max_tokens: 5 };
      const { sequences } = await beamSearch(noiseModel(3, [END], seed, 2), [1], params, { before });
      const world = { logitsAfter: noiseAfter(3, 2, seed), endIds: [END], maxTokens: 5, allowed: balanced };
      const all = everySequence({ ...world, power: (n) => n }, [1]);
      expect(sequences.map(({ ids, score }) => ({ ids, score }))).toEqual(
        all.map(({ ids, score }) => ({ ids, score })),
      );
    }
  });

  it.each(RULES)('with few beams, by the rules %s, gives only texts of the language', async (rules) => {
    for (let seed = 0; seed < 20; seed++) {
      const before = [new Constrained(constraintFrom(balanced, [END]))];
      const params = { num_beams: 3, num_return_sequences: 3, max_tokens: 9 };
      const { sequences } = await beamSearch(noiseModel(3, [END], seed, 2), [1], params, { before, rules });
      expect(sequences.length).toBeGreaterThan(0);
      for (const { ids } of sequences) {
        for (let at = 0; at < ids.length; at++) expect(balanced(ids.slice(0, at))).toContain(ids[at]);
      }
    }
  });

  it('is where it was when the search is over, or fails', async () => {
    const constraint = constraintFrom(balanced, [END]);
    constraint.advance(1);
    const step = new Constrained(constraint);
    const chain = new ProcessorChain([step]);
    await beamSearch(noiseModel(3, [END], 1), [1], { num_beams: 3, max_tokens: 4 }, { chain });
    expect(constraint.save()).toEqual([1]);
    const broken: LogitsProcessor = {
      name: 'broken',
      process(_, { history }) {
        if (history.output.length === 2) throw new Error('broken');
      },
    };
    const before = [step, broken];
    await expect(beamSearch(noiseModel(3, [END], 1), [1], { num_beams: 3 }, { before })).rejects.toThrow('broken');
    expect(constraint.save()).toEqual([1]);
  });
});

describe('penalties in beams', () => {
  it('see the history of their beam alone', async () => {
    const model = saysProbabilities(() => [0.4, 0.35, 0.25], []);
    const params = { num_beams: 2, num_return_sequences: 2, max_tokens: 2, presence_penalty: 100, length_penalty: 0 };
    const { sequences } = await beamSearch(model, [2], params);
    expect(sequences.map(({ ids }) => ids)).toEqual([
      [0, 1], // 0.4 * 0.35
      [1, 0], // 0.35 * 0.4, an equal product of the later beam
    ]);
  });

  it.each(RULES)('work on logprobs, which stay as they are, by the rules %s', async (rules) => {
    const model = saysProbabilities(() => [0.5, 0.25, 0.25], []);
    const params = { num_beams: 2, num_return_sequences: 2, max_tokens: 1, repetition_penalty: 2 };
    const { sequences } = await beamSearch(model, [0], params, { rules });
    const logprobs = sequences.map(({ logprob }) => logprob);
    expect(logprobs[0]).toBeCloseTo(log(0.25), 6); // id 0, at ln 0.5, was doubled to as much
    expect(logprobs[1]).toBeCloseTo(log(0.25), 6);
  });

  it.each(RULES)('work on logits, and the row is renormalized, for one beam by the rules %s', async (rules) => {
    const model = saysProbabilities(() => [0.5, 0.25, 0.25], []);
    const params = { num_beams: 1, max_tokens: 1, repetition_penalty: 2 };
    const { sequences } = await beamSearch(model, [0], params, { rules });
    expect(sequences[0]?.logprob).toBeCloseTo(log(1 / 3), 6); // the logits are ln 0.5, ln 0.25, ln 0.25
  });
});

describe('beams that run out of continuations', () => {
  it.each(RULES)('end as exhausted where nothing else ended, by the rules %s', async (rules) => {
    const model = noiseModel(4, [], 3);
    const params = { num_beams: 2, num_return_sequences: 2, max_tokens: 10, no_repeat_ngram_size: 1 };
    const { sequences, steps } = await beamSearch(model, [3], params, { rules });
    expect(steps).toBe(4); // three ids are left after the prompt, then none
    expect(sequences.length).toBe(2);
    for (const { ids, finish_reason, score, logprob } of sequences) {
      expect([...ids].sort()).toEqual([0, 1, 2]);
      expect(finish_reason).toBe('exhausted');
      expect(score).toBe(logprob / 3);
    }
  });

  it.each(RULES)('give way to sequences that ended, by the rules %s', async (rules) => {
    const before = [
      new Constrained(constraintFrom((ids) => (ids.length === 0 ? [1, 2] : ids[0] === 1 ? [END] : []), [END])),
    ];
    const model = saysProbabilities(() => [0.1, 0.1, 0.8], [END]);
    const params = { num_beams: 2, num_return_sequences: 2, max_tokens: 5 };
    const { sequences } = await beamSearch(model, [0], params, { before, rules });
    expect(sequences.map(({ ids, finish_reason }) => [ids, finish_reason])).toEqual([
      [[1, END], 'stop'],
      [[2], 'exhausted'],
    ]);
  });

  it('give the empty sequence where nothing may come at all', async () => {
    const before = [new BannedTokens({ ids: [0, 1, 2] })];
    for (const rules of RULES) {
      const { sequences } = await beamSearch(noiseModel(3, [], 1), [0], { num_beams: 2 }, { before, rules });
      expect(sequences).toEqual([{ ids: [], logprobs: [], logprob: 0, score: 0, finish_reason: 'exhausted' }]);
    }
  });

  it('are fewer than asked for where there are fewer sequences', async () => {
    for (const rules of RULES) {
      const params = { num_beams: 8, num_return_sequences: 8, max_tokens: 1 };
      const { sequences } = await beamSearch(noiseModel(3, [0], 1), [0], params, { rules });
      expect(sequences.map(({ ids }) => ids[0]).sort()).toEqual([0, 1, 2]);
    }
  });
});

describe('a processor that leaves nothing', () => {
  const history = new TokenHistory([0, 1, 2, 0, 1, 2], []);
  const all = [0, 1, 2];

  it.each<[string, LogitsProcessor]>([
    ['allowed tokens beside what is kept', new AllowedTokens({ ids: [5] })],
    ['banned tokens', new BannedTokens({ ids: all })],
    ['bad words', new BadWords({ words: all.map((id) => [id]) })],
    ['suppress at begin', new SuppressAtBegin({ ids: all })],
    ['min tokens', new MinTokens({ min_tokens: 3, end_ids: all })],
    ['no repeated n-gram', new NoRepeatNgram({ n: 1 })],
    ['a constraint', new Constrained(constraintFrom(() => [], [0]))],
    ['keepIds', { name: 'none', process: (candidates) => candidates.keepIds(() => false) }],
    ['setLogit', { name: 'none', process: removeAll }],
    ['keepMask', { name: 'none', process: (candidates) => candidates.keepMask(new Uint32Array(1)) }],
  ])('is told from one that is used wrongly: %s', (_, step) => {
    const candidates = new CandidateSet();
    candidates.load([0, 1, 2, -Infinity, -Infinity, -Infinity]);
    expect(outcome(() => step.process(candidates, { history, numerics: exactNumerics, uniform: () => 0 }))).toBe(
      'leaves nothing',
    );
  });

  it('is none that is used wrongly', async () => {
    const candidates = new CandidateSet();
    candidates.load([0, 1]);
    expect(outcome(() => candidates.setLogit(0, Number.NaN))).toContain('a number below Infinity');
    const before = [new LogitBias({ bias: { 7: 1 } })];
    await expect(beamSearch(noiseModel(3, [], 1), [0], {}, { before })).rejects.toThrow(InvalidValueError);
  });
});

function removeAll(candidates: Candidates): void {
  for (const id of [0, 1, 2]) candidates.setLogit(id, -Infinity);
}

function outcome(act: () => void): string {
  try {
    act();
    return 'left something';
  } catch (error) {
    return error instanceof NothingLeftError ? 'leaves nothing' : String(error);
  }
}
