/**
 * Hugging Face's rules step by step, over continuations that are written down: how many they ask for, which end, which go
 * on, and what equal scores do.
 */
import { describe, expect, it } from 'vitest';
import { HfGroup } from '../../../src/decode/beams/hf-group.js';
import { HfGroups } from '../../../src/decode/beams/hf-groups.js';
import { HfRules, type HfSettings } from '../../../src/decode/beams/hf-rules.js';
import { Hypothesis } from '../../../src/decode/beams/hypothesis.js';

type Continuation = readonly [id: number, logprob: number];

const root = Hypothesis.empty();
const END = 0;
const rowOf = (beam: Hypothesis) => ({ beam, logprobs: new Float64Array(9) });

/** Rules of two beams that score by the logprob; each step has the given continuations of its first beam. */
function scripted(steps: readonly (readonly Continuation[])[], more: Partial<HfSettings> = {}) {
  const left = [...steps];
  const asked: number[] = [];
  const endIds = more.endIds ?? [END];
  const settings: HfSettings = {
    numBeams: 2,
    maxTokens: 9,
    endIds,
    endOf: ({ id }) => (endIds.includes(id) ? id : undefined),
    scoreOf: (logprob) => logprob,
    choose: ([row], count) => {
      asked.push(count);
      return (left.shift() ?? []).map(([id, logprob]) => (row as { beam: Hypothesis }).beam.extend(id, logprob));
    },
    earlyStopping: false,
    lengthPenalty: 1,
    ...more,
  };
  return { settings, asked };
}

const idsOf = (beams: readonly Hypothesis[]) => beams.map(({ ids }) => ids);
const endedOf = (ended: HfGroup['ended']) =>
  ended.map(({ hypothesis, score, finish_reason }) => [hypothesis.ids, score, finish_reason]);

describe.each([
  { rules: 'HfRules', make: (settings: HfSettings) => new HfRules(settings) },
  { rules: 'HfGroup', make: (settings: HfSettings) => new HfGroup(settings, root) },
])('$rules', ({ make }) => {
  it.each([
    { endIds: [], count: 4 },
    { endIds: [0], count: 4 },
    { endIds: [0, 1], count: 6 },
    { endIds: [0, 1, 2], count: 8 },
  ])('asks for as many continuations that two can go on whatever ends, with the end ids $endIds', (row) => {
    const { settings, asked } = scripted([[[5, -1]]], { endIds: row.endIds });
    make(settings).advance(rowOf);
    expect(asked).toEqual([row.count]);
  });

  it.each([
    { endIds: [], ended: [], live: [0, 1] },
    { endIds: [0], ended: [0], live: [1, 2] },
    { endIds: [0, 1], ended: [0, 1], live: [] },
    { endIds: [0, 1, 2], ended: [0, 1], live: [] }, // the third end is behind two
    { endIds: [2], ended: [], live: [0, 1] }, // as here
  ])('ends $ended and goes on with $live, with the end ids $endIds', ({ endIds, ended, live }) => {
    const step = [0, 1, 2, 3, 4, 5, 6].map((id): Continuation => [id, -1 - id]);
    const group = make(scripted([step], { endIds, earlyStopping: true, lengthPenalty: 0 }).settings);
    group.advance(rowOf);
    expect(idsOf(group.ended.map(({ hypothesis }) => hypothesis)).sort()).toEqual(ended.map((id) => [id]));
    expect(idsOf(group.live)).toEqual(live.map((id) => [id]));
  });

  it('is over where nothing can go on', () => {
    const group = make(scripted([[]]).settings);
    group.advance(rowOf);
    expect([group.live, group.ended]).toEqual([[], []]);
  });

  it('is over where all that there was ended', () => {
    const group = make(scripted([[[END, -1]]]).settings);
    group.advance(rowOf);
    expect(group.live).toEqual([]);
    expect(endedOf(group.ended)).toEqual([[[END], -1, 'stop']]);
  });

  it('ends the beams of the most tokens by length', () => {
    const group = make(
      scripted(
        [
          [
            [1, -1],
            [END, -2],
            [3, -3],
          ],
        ],
        { maxTokens: 1, numBeams: 3 },
      ).settings,
    );
    group.advance(rowOf);
    expect(group.live).toEqual([]);
    const right = [
      [[1], -1, 'length'],
      [[END], -2, 'stop'],
      [[3], -3, 'length'],
    ];
    expect(endedOf(group.ended).sort((a, b) => (b[1] as number) - (a[1] as number))).toEqual(right);
  });

  it('keeps two ended ones, the best of all, of equal ones the earlier', () => {
    const steps: Continuation[][] = [
      [
        [1, 0],
        [END, -3],
        [2, -9],
      ],
      [
        [1, 0],
        [END, -4],
        [2, -9],
      ],
      [
        [1, 0],
        [END, -4],
        [2, -9],
      ], // equal to the second
      [
        [1, 0],
        [END, -1],
        [2, -9],
      ],
    ];
    const group = make(scripted(steps).settings);
    const found = steps.map(() => {
      group.advance(rowOf);
      return endedOf(group.ended).map(([ids]) => (ids as number[]).length);
    });
    expect(found.map((lengths) => lengths.sort())).toEqual([[1], [1, 2], [1, 2], [1, 4]]);
    expect(idsOf(group.live)).toEqual([
      [1, 1, 1, 1],
      [1, 1, 1, 2],
    ]);
  });

  it('is over where the best living beam can only come to as much as the worst ended one', () => {
    const steps = (last: number): Continuation[][] => [
      [
        [1, -1],
        [END, -2],
        [2, -9],
      ],
      [
        [1, last],
        [END, -2],
        [2, -9],
      ],
    ];
    const live = (last: number) => {
      const group = make(scripted(steps(last)).settings);
      group.advance(rowOf);
      group.advance(rowOf);
      return group.live.length;
    };
    expect([live(-1.5), live(-2), live(-2.5)]).toEqual([2, 0, 0]); // -2.5, -3 and -3.5 against an ended -3
  });
});

describe('HfGroup', () => {
  it('says that it is over: at the most tokens, where nothing goes on, and not before', () => {
    const isOver = (steps: Continuation[][], more?: Partial<HfSettings>) => {
      const group = new HfGroup(scripted(steps, more).settings, root);
      group.advance(rowOf);
      return group.isOver;
    };
    expect(isOver([[[1, -1]]])).toBe(false);
    expect(isOver([[[1, -1]]], { maxTokens: 1 })).toBe(true);
    expect(isOver([[]])).toBe(true);
  });
});

describe('HfGroups', () => {
  it('give what ended best first, of equal ones that which ended last', () => {
    const steps: Continuation[][] = [
      [
        [END, -3],
        [1, 0],
      ],
      [
        [END, -1],
        [1, 0],
      ],
      [
        [END, -3],
        [1, 0],
      ],
      [
        [END, -2],
        [1, 0],
      ],
    ];
    const { settings } = scripted(steps, { numBeams: 4 });
    const groups = new HfGroups(settings, 2);
    groups.advance(rowOf);
    groups.advance(rowOf);
    expect(endedOf(groups.ended).map(([ids, score]) => [(ids as number[]).length, score])).toEqual([
      [1, -1],
      [2, -2],
      [2, -3],
      [1, -3],
    ]);
  });

  it.each([
    { endIds: [], used: [] },
    { endIds: [7, 8], used: [[7, 1]] }, // the first end id stands for a group that is over, once for each of its beams
  ])('count what groups before chose, one that is over with the end ids $endIds', ({ endIds, used }) => {
    const seen: [number, number][][] = [];
    const steps: Continuation[][] = [[], [[1, -1]], [[2, -1]]];
    const groups = new HfGroups(scripted(steps, { numBeams: 2, endIds }).settings, 2);
    const rows = (beam: Hypothesis, chosen?: ReadonlyMap<number, number>) => {
      seen.push([...(chosen ?? [])]);
      return rowOf(beam);
    };
    groups.advance(rows);
    groups.advance(rows);
    expect(seen).toEqual([[], [], used]);
  });
});
