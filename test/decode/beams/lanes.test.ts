/**
 * How few calls of the model a search makes: which session a beam goes on in, and when one is copied or closed.
 */
import { describe, expect, it } from 'vitest';
import { Hypothesis } from '../../../src/decode/beams/hypothesis.js';
import { Lanes } from '../../../src/decode/beams/lanes.js';
import { checkedModel } from '../../../src/model/checked-model.js';
import { StrictModel } from '../../support/strict-model.js';
import { noiseAfter } from './worlds.js';

const PROMPT = [7, 8];
const logitsAfter = noiseAfter(9, 3, 1);
const root = Hypothesis.empty();

function open(forks: boolean, beginId?: number) {
  const model = new StrictModel({ vocabSize: 9, contextLength: 64, logitsAfter, forks, beginId });
  return { model, lanes: new Lanes(checkedModel('test', model), PROMPT) };
}

const known = new Map<string, Hypothesis>();

/** The beam of these ids, one and the same for the same ids. */
function beamOf(...ids: number[]): Hypothesis {
  const beam =
    known.get(ids.join()) ?? (ids.length === 0 ? root : beamOf(...ids.slice(0, -1)).extend(ids.at(-1) as number, -1));
  known.set(ids.join(), beam);
  return beam;
}

/** Runs a search whose live beams are those of each step; each beam's logits are those behind all of its ids. */
async function run(lanes: Lanes, ...steps: (readonly number[])[][]): Promise<void> {
  for (const step of steps) {
    const beams = step.map((ids) => beamOf(...ids));
    const rows = await lanes.logits(beams, undefined);
    expect(beams.map((beam) => rows.get(beam))).toEqual(
      beams.map(({ ids }) => Float32Array.from(logitsAfter([...PROMPT, ...ids]))),
    );
  }
}

describe('the sessions of beams that can be copied', () => {
  it('go on with their beams: one id each, with no copy and nothing cut back', async () => {
    const { model, lanes } = open(true);
    await run(
      lanes,
      [[]],
      [[1], [2]],
      [
        [1, 3],
        [2, 4],
      ],
      [
        [2, 4, 5],
        [1, 3, 6],
      ],
    );
    expect([model.opened, model.forks]).toEqual([2, 1]);
    expect(model.truncations).toEqual([]);
    expect(model.appended).toEqual([[7, 8], [1], [2], [3], [4], [5], [6]]);
  });

  it('are copied for a second beam of one parent before the parent goes on', async () => {
    const { model, lanes } = open(true);
    await run(
      lanes,
      [[]],
      [[1], [2], [3]],
      [
        [2, 1],
        [2, 2],
        [2, 3],
      ],
    );
    expect(model.forks).toBe(4);
    expect(model.appended).toEqual([[7, 8], [1], [2], [3], [1], [2], [3]]);
    expect(model.truncations).toEqual([]);
  });

  it('are closed as soon as no beam goes on in them, and the others at the end', async () => {
    const { model, lanes } = open(true);
    await run(lanes, [[]], [[1], [2], [3]]);
    expect(model.closed).toBe(0);
    await run(lanes, [[2, 1]]);
    expect([model.opened, model.closed]).toEqual([3, 2]);
    await lanes.close();
    expect(model.closed).toBe(3);
  });
});

describe('the sessions of beams that cannot be copied', () => {
  it('stay for later where no beam goes on in them, and are all closed at the end', async () => {
    const { model, lanes } = open(false);
    await run(lanes, [[]], [[1], [2]], [[2, 1]]);
    expect([model.opened, model.closed]).toEqual([2, 0]);
    await lanes.close();
    expect(model.closed).toBe(2);
  });

  it('are used again, cut back to what they share, before another one is opened', async () => {
    const { model, lanes } = open(false);
    await run(
      lanes,
      [[]],
      [[1], [2]],
      [[2, 1]],
      [
        [2, 1, 3],
        [2, 1, 4],
      ],
    );
    expect(model.opened).toBe(2);
    expect(model.truncations).toEqual([2]); // to the prompt
    expect(model.appended).toEqual([[7, 8], [1], [7, 8, 2], [1], [3], [2, 1, 4]]);
  });

  it('go to the beam that shares most with them', async () => {
    const { model, lanes } = open(false);
    await run(
      lanes,
      [[]],
      [[1], [2], [3]],
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
      [[3, 3, 1]],
      [
        [3, 3, 1, 1],
        [2, 2, 5, 5],
      ],
    );
    expect(model.opened).toBe(3);
    expect(model.appended.at(-1)).toEqual([5, 5]);
    expect(model.truncations).toEqual([]);
  });

  it('hold the begin token in front of the prompt', async () => {
    const { model, lanes } = open(false, 0);
    await lanes.logits([beamOf()], undefined);
    await lanes.logits([beamOf(1)], undefined);
    expect(model.appended).toEqual([[0, 7, 8], [1]]);
  });
});
