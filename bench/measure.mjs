/**
 * Timing: rounds of several subjects, taken in turn, so that whatever else the machine does hits all of them.
 */

/**
 * Something to time. `round` gives the milliseconds of each call of one round; `rounds` of the rounds it takes part in,
 * evenly spread.
 * @typedef {{ name: string, rounds: number, round: () => number[] | Promise<number[]> }} Subject
 *
 * The calls of one round, in milliseconds; undefined for a round without the subject.
 * @typedef {(number[] | undefined)[]} Rounds
 */

/** The last result of a timed call: exported, so that no engine can drop the work that made it. */
export let lastResult;

/**
 * The rounds of every subject; each subject runs `warmup` rounds before, untimed.
 * @param {Subject[]} subjects
 * @param {number} rounds
 * @param {number} warmup
 * @returns {Promise<Map<string, Rounds>>}
 */
export async function measure(subjects, rounds, warmup) {
  const times = new Map(subjects.map(({ name }) => [name, []]));
  for (const subject of subjects) {
    for (let round = 0; round < Math.min(warmup, subject.rounds); round++) await subject.round();
  }
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      times.get(subject.name).push(takesPart(subject, round, rounds) ? await subject.round() : undefined);
    }
  }
  return times;
}

function takesPart(subject, round, rounds) {
  const due = (count) => Math.floor((count * Math.min(subject.rounds, rounds)) / rounds);
  return due(round + 1) > due(round);
}

/** Times `calls` calls of `run`, which gets their number. */
export function timeCalls(run, calls) {
  return Array.from({ length: calls }, (_, call) => {
    const begin = performance.now();
    lastResult = run(call);
    return performance.now() - begin;
  });
}

/** The same for a `run` that answers later. */
export async function timeAsyncCalls(run, calls) {
  const times = [];
  for (let call = 0; call < calls; call++) {
    const begin = performance.now();
    lastResult = await run(call);
    times.push(performance.now() - begin);
  }
  return times;
}

/** The median; of an even number of values, the mean of the middle two. */
export function median(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The least: what is left when nothing else ran on the machine, if ever. */
export function least(values) {
  return values.reduce((a, b) => Math.min(a, b));
}

/**
 * How many times as long the first takes as the second: the median over the rounds that both took part in, of the ratio
 * of their medians in that round. Undefined where there is no such round.
 * @param {Rounds | undefined} first
 * @param {Rounds | undefined} second
 */
export function pairedRatio(first, second) {
  const ratios = (first ?? []).flatMap((calls, round) => {
    const others = second?.[round];
    return calls === undefined || others === undefined ? [] : [median(calls) / median(others)];
  });
  return ratios.length === 0 ? undefined : median(ratios);
}

/** The slope of the least-squares line through (ln x, ln y): the exponent of a power law. */
export function logLogSlope(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (axis) => logs.reduce((sum, point) => sum + point[axis], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
