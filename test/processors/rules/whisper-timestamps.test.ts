import { describe, expect, it } from 'vitest';
import { WhisperTimestamps } from '../../../processors/index.js';
import { createChain, createSampler } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { PlainCandidates } from '../../candidates/plain-candidates.js';
import { agreesWithPlainArrays, expectUnchanged, without } from '../masks/plain-masks.js';
import { apply, kept } from '../step.js';

const M = -Infinity;
/** Text 0 to 2, the end id 3, another mark 4, no timestamps 5, times 6 to 9. */
const IDS = { end_id: 3, no_timestamps_id: 5 };
/** Text and marks so much likelier that rule 5 never holds. */
const TEXT = [9, 9, 9, 9, 9, 9, 0, 0, 0, 0];

describe('WhisperTimestamps', () => {
  it.each([
    { history: [], left: [6, 7, 8, 9], why: 'the first token is a time' },
    { history: [0], left: [0, 1, 2, 3, 4, 6, 7, 8, 9], why: 'without a time all but no_timestamps_id' },
    { history: [6], left: [0, 1, 2, 3, 4], why: 'one time at the very start closes: no time again' },
    { history: [7, 0], left: [0, 1, 2, 3, 4, 8, 9], why: 'later than the last time' },
    {
      history: [7, 0, 8],
      left: [3, 4, 8, 9],
      why: 'behind the time that ends a text: the end, or a time, the same one too',
    },
    { history: [7, 0, 8, 8], left: [0, 1, 2, 3, 4], why: 'behind two times: text' },
    { history: [7, 0, 8, 8, 1], left: [0, 1, 2, 3, 4, 9], why: 'times rise over several segments' },
    { history: [7, 0, 9, 9, 1], left: [0, 1, 2, 3, 4], why: 'no later time is there' },
  ])('after $history keeps $left: $why', ({ history, left }) => {
    expect(kept(apply(new WhisperTimestamps(IDS), TEXT, { history, prompt: [6, 6] }))).toEqual(left);
  });

  it.each([
    { max_initial: 0, left: [6] },
    { max_initial: 1, left: [6, 7] },
    { max_initial: 99, left: [6, 7, 8, 9] },
  ])('begins with one of the first times: at most number $max_initial', ({ max_initial, left }) => {
    const step = new WhisperTimestamps({ ...IDS, max_initial });
    expect(kept(apply(step, TEXT))).toEqual(left);
    expect(kept(apply(step, TEXT, { history: [0] }))).toHaveLength(9);
  });

  it.each([
    { time: 0.26, left: [6, 7, 8, 9], why: 'together above the likeliest text' },
    { time: 0.25, left: [0, 1, 6, 7, 8, 9], why: 'exactly alike: both stay' },
    { time: 0.24, left: [0, 1, 6, 7, 8, 9], why: 'below it' },
  ])('keeps times only where they are likelier together than each text: 4 x $time, $why', ({ time, left }) => {
    const logits = [1, 0.5, 0, 0, 0, 0, time, time, time, time].map((weight) => Math.log(weight));
    expect(kept(apply(new WhisperTimestamps(IDS), logits, { history: [0] }))).toEqual(left);
  });

  it('looks at no_timestamps_id and times that are past as gone in that', () => {
    const weights = [1, 0, 0, 0, 0, 99, 99, 99, 0.5, 0.4];
    const logits = weights.map((weight) => Math.log(weight));
    expect(kept(apply(new WhisperTimestamps(IDS), logits, { history: [7, 0] }))).toEqual([0, 8, 9]);
  });

  agreesWithPlainArrays((random: Pcg32, V) => {
    const no_timestamps_id = 1 + random.below(5);
    const end_id = random.below(no_timestamps_id);
    const max_initial = random.below(3);
    return {
      step: new WhisperTimestamps({ no_timestamps_id, end_id, max_initial }),
      rule: (l, { output }) =>
        no_timestamps_id >= V - 1 ? undefined : plainRule(l, output, no_timestamps_id + 1, end_id, max_initial),
    };
  });

  it('makes segments of a request', () => {
    const random = new Pcg32(4);
    const chain = createChain([{ use: 'whisper-timestamps', no_timestamps_id: 5, end_id: 3 }]);
    const sampler = createSampler({ seed: 2 }, { chain });
    const logits = () => Array.from({ length: 400 }, (_, id) => random.uniform() + (id < 3 ? 6 : 0));
    const ids = Array.from({ length: 40 }, () => sampler.sample(logits()).id);
    const times = ids.filter((id) => id > 5);
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(ids).not.toContain(5);
    expect(ids[0]).toBeGreaterThan(5);
  });

  it('refuses where nothing would be left, and changes nothing', () => {
    const message =
      'WhisperTimestamps: `no_timestamps_id` must be such that at least one of the kept ids remains, got 5';
    expectUnchanged(new WhisperTimestamps(IDS), [0, 0, 0, 0, 0, 0, M, M], message);
  });

  it('refuses a vocabulary without times', () => {
    const message = 'WhisperTimestamps: `no_timestamps_id` must be an integer in [0, 5), got 5';
    expectUnchanged(new WhisperTimestamps(IDS), [0, 0, 0, 0, 0, 0], message);
  });

  it.each([
    [{ end_id: 1 }, 'WhisperTimestamps: `no_timestamps_id` must be an integer >= 0, got undefined'],
    [{ end_id: 5, no_timestamps_id: 5 }, 'WhisperTimestamps: `end_id` must be below no_timestamps_id, 5, got 5'],
    [{ ...IDS, max_initial: -1 }, 'WhisperTimestamps: `max_initial` must be an integer >= 0, got -1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new WhisperTimestamps(options as never)).toRefuse(message);
  });
});

/** The rules one after another on an array, as Whisper's own code has them. */
function plainRule(
  logits: readonly number[],
  output: readonly number[],
  begin: number,
  end: number,
  most: number,
): number[] {
  const range = (from: number, to: number) => Array.from({ length: Math.max(to - from, 0) }, (_, i) => from + i);
  const V = logits.length;
  let l = without(logits, [begin - 1]);
  const [last, before] = [output.at(-1), output.at(-2)];
  const wasTime = last !== undefined && last >= begin;
  const wasTimeBefore = before === undefined || before >= begin;
  if (wasTime) l = without(l, wasTimeBefore ? range(begin, V) : range(0, end));
  const times = output.filter((id) => id >= begin);
  const latest = times.at(-1);
  if (latest !== undefined) l = without(l, range(begin, wasTime && !wasTimeBefore ? latest : latest + 1));
  if (output.length === 0) l = without(without(l, range(0, begin)), range(begin + most + 1, V));
  if (!l.some((x) => x > M)) return l;
  const q = new PlainCandidates(l).probabilities;
  const sum = q.slice(begin).reduce((all, share) => all + share, 0);
  return sum > Math.max(...q.slice(0, begin)) ? without(l, range(0, begin)) : l;
}
