/**
 * Timing: rounds of several subjects, taken in turn, so that whatever else the machine does hits all of them.
 */

/**
 * Something to time. `start` sets a round up, untimed, and gives the call that is timed; its argument counts the calls
 * of the round. `rounds` of the rounds it takes part in, evenly spread.
 * @typedef {{ name: string, rounds: number, calls: number, start: () => (call: number) => unknown }} Subject
 */

/** The last result of a timed call: exported, so that no engine can drop the work that made it. */
export let lastResult;

/**
 * Milliseconds of every call, by subject; each subject is run once before, untimed.
 * @param {Subject[]} subjects
 * @param {number} rounds
 * @returns {Map<string, number[]>}
 */
export function measure(subjects, rounds) {
  const times = new Map(subjects.map(({ name }) => [name, []]));
  for (const subject of subjects) timeRound(subject);
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      if (takesPart(subject, round, rounds)) times.get(subject.name).push(...timeRound(subject));
    }
  }
  return times;
}

function takesPart(subject, round, rounds) {
  const due = (count) => Math.floor((count * Math.min(subject.rounds, rounds)) / rounds);
  return due(round + 1) > due(round);
}

function timeRound({ start, calls }) {
  const run = start();
  return Array.from({ length: calls }, (_, call) => {
    const begin = performance.now();
    lastResult = run(call);
    return performance.now() - begin;
  });
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

/** The slope of the least-squares line through (ln x, ln y): the exponent of a power law. */
export function logLogSlope(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (axis) => logs.reduce((sum, point) => sum + point[axis], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
