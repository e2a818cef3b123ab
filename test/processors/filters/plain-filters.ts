/**
 * What the filters and the shaping steps do, over plain arrays of numbers and in the plainest way, written from their rules.
 */
import { exp } from '../../../src/numerics/exp.js';
import { log } from '../../../src/numerics/log.js';
import { pow } from '../../../src/numerics/pow.js';

type Row = readonly number[];

const at = (row: Row, i: number) => row[i] as number;
const sum = (row: Row) => row.reduce((s, x) => s + x, 0);

/** The ids above -Infinity, ascending. */
export const idsOf = (l: Row) => [...l.keys()].filter((id) => at(l, id) > -Infinity);

/** The same by (l descending, id ascending). */
export const rankedOf = (l: Row) => idsOf(l).sort((a, b) => (at(l, a) === at(l, b) ? a - b : at(l, b) - at(l, a)));

/** The running sums, from the first on. */
function runningSums(row: Row): number[] {
  let s = 0;
  return row.map((x) => (s += x));
}

const largest = (l: Row) => l.reduce((max, x) => Math.max(x, max), -Infinity);

function total(l: Row): number {
  const max = largest(l);
  return sum(idsOf(l).map((id) => exp(at(l, id) - max)));
}

/** q by id, 0 for the others. */
export function softmax(l: Row): number[] {
  const [max, z] = [largest(l), total(l)];
  return l.map((x) => (x === -Infinity ? 0 : exp(x - max) / z));
}

export function logSoftmax(l: Row): number[] {
  const [max, logZ] = [largest(l), log(total(l))];
  return l.map((x) => x - max - logZ);
}

export const entropyOf = (q: Row) => q.reduce((h, x) => (x > 0 ? h - x * log(x) : h), 0);

/** `l` with -Infinity for all but `stay`. */
export const only = (l: Row, stay: Row) => l.map((x, id) => (stay.includes(id) ? x : -Infinity));

/** The ids with q >= threshold, or the `least` best where these are fewer. */
function from(l: Row, threshold: number, least: number): number[] {
  const q = softmax(l);
  const stay = idsOf(l).filter((id) => at(q, id) >= threshold);
  return only(l, stay.length < least ? rankedOf(l).slice(0, least) : stay);
}

export const epsilon = (l: Row, eps: number, least = 1) => from(l, eps, least);

export function eta(l: Row, eps: number, least = 1): number[] {
  const other = Math.sqrt(eps) * exp(-entropyOf(softmax(l)));
  return from(l, Math.min(other, eps), least);
}

export function topA(l: Row, a: number, least = 1): number[] {
  const max = Math.max(...softmax(l));
  return from(l, a * max * max, least);
}

export function topNSigma(l: Row, n: number): number[] {
  const values = idsOf(l).map((id) => at(l, id));
  const mean = sum(values) / values.length;
  const sigma = Math.sqrt(sum(values.map((x) => (x - mean) * (x - mean))) / values.length);
  const least = largest(l) - n * sigma;
  return only(
    l,
    idsOf(l).filter((id) => at(l, id) >= least),
  );
}

export function pLess(l: Row): number[] {
  const q = softmax(l);
  const collision = sum(q.map((x) => x * x));
  return from(l, Math.min(collision, Math.max(...q)), 1);
}

export function pLessNorm(l: Row): number[] {
  if (idsOf(l).length === 1) return [...l];
  const q = softmax(l);
  const collision = sum(q.map((x) => x * x));
  return from(l, Math.min((l.length * collision - 1) / (l.length - 1), Math.max(...q)), 1);
}

export function topH(l: Row, h: number): number[] {
  const best = rankedOf(l).slice(0, 100);
  const q = softmax(only(l, best));
  const sums = runningSums(best.map((id) => (at(q, id) > 0 ? -(at(q, id) * log(at(q, id))) : 0)));
  const most = h * (sums.at(-1) as number);
  return only(
    l,
    best.filter((_, rank) => rank === 0 || at(sums, rank) <= most),
  );
}

export function tailFree(l: Row, z: number, least = 1): number[] {
  const ranked = rankedOf(l);
  const byId = softmax(l);
  const q = ranked.map((id) => at(byId, id));
  const first = q.slice(1).map((x, i) => x - at(q, i));
  const second = first.slice(1).map((x, i) => Math.abs(x - at(first, i)));
  const whole = sum(second);
  if (ranked.length < 3 || whole === 0) return [...l];
  const cdf = runningSums(second.map((d) => d / whole));
  return only(
    l,
    ranked.filter((_, j) => j < least || j === 0 || (j < ranked.length - 1 && at(cdf, j - 1) <= z)),
  );
}

export function typical(l: Row, p: number, least = 1): number[] {
  const q = softmax(l);
  const [h, lp] = [entropyOf(q), logSoftmax(l)];
  const distance = lp.map((x) => Math.abs(-x - h));
  const order = idsOf(l).sort((a, b) => at(distance, a) - at(distance, b) || a - b);
  const sums = runningSums(order.map((id) => at(q, id)));
  const last = sums.findIndex((s) => s >= p);
  return only(l, last < 0 ? order : order.slice(0, Math.max(last + 1, least)));
}

interface XtcRule {
  readonly threshold: number;
  readonly min_keep?: number;
  readonly special_ids?: Row;
}

/** The ids that XTC removes where it acts. */
export function excludedOf(l: Row, { threshold, min_keep = 1, special_ids = [] }: XtcRule): number[] {
  const q = softmax(l);
  const gone = rankedOf(l)
    .filter((id) => at(q, id) >= threshold)
    .slice(0, -1);
  const isSpared = idsOf(l).length - gone.length < min_keep || gone.some((id) => special_ids.includes(id));
  return isSpared ? [] : gone;
}

export function xtc(l: Row, probability: number, rule: XtcRule, u: number): number[] {
  const gone = u < probability ? excludedOf(l, rule) : [];
  return l.map((x, id) => (gone.includes(id) ? -Infinity : x));
}

export function xtcMixture(l: Row, probability: number, rule: XtcRule): number[] {
  const gone = excludedOf(l, rule);
  const rest = sum(softmax(l).filter((_, id) => !gone.includes(id)));
  const shift = log(1 - probability) + log(rest) - log((1 - probability) * rest + probability);
  return l.map((x, id) => (gone.includes(id) ? x + shift : x));
}

export function dynamicTemperature(l: Row, low: number, high: number, exponent: number): number[] | undefined {
  const count = idsOf(l).length;
  if (count === 1) return [...l];
  const flat = entropyOf(softmax(l)) / log(count);
  const T = low + (high - low) * pow(Math.min(flat, 1), exponent);
  if (T === 0) return only(l, rankedOf(l).slice(0, 1));
  return Number.isFinite(largest(l) / T) ? l.map((x) => x / T) : undefined;
}

export function quadraticSmoothing(l: Row, factor: number, curve: number): number[] {
  const k = ((3 - curve) / 2) * factor;
  const s = ((curve - 1) / 2) * factor;
  const max = largest(l);
  return l.map((x) => {
    if (x === -Infinity) return x;
    const d = x - max;
    return -(k * d * d) + s * d * d * d + max;
  });
}
