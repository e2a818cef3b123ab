/**
 * The spec once more, as an oracle: plain arrays, full sorts and its own loops, written from the page and sharing
 * nothing with the library but exp, log and PCG32, which are tested by themselves.
 *
 * Slow and plain on purpose: every step copies, and every order is a whole sort.
 */
import { exp } from '../../src/numerics/exp.js';
import { log } from '../../src/numerics/log.js';
import { Pcg32 } from '../../src/random/pcg32.js';

/** What the spec refuses. */
export class Refused extends Error {}

export interface OracleParams {
  temperature?: number;
  top_k?: number;
  top_p?: number;
  min_p?: number;
  repetition_penalty?: number;
  presence_penalty?: number;
  frequency_penalty?: number;
}

export interface OracleToken {
  id: number;
  logprob: number;
  /** l after step 3. */
  scores: number[];
  /** The log-softmax of the scores. */
  logprobs: number[];
  /** l after step 8; the scores at T = 0. */
  processed: number[];
  q: number[];
  entropy: number;
  /** The ids that are not masked, by logprob, ties to the lower id. */
  ranking: number[];
}

/** One token. `draw` gives the uniform; it is called once, and not at all when T = 0 or when the request is refused. */
export function oracleToken(
  logits: ArrayLike<number>,
  params: OracleParams,
  out: readonly number[],
  prompt: readonly number[],
  draw: () => number,
): OracleToken {
  checkParams(params);
  const scores = penalize(widen(logits), params, out, prompt);
  const logprobs = logSoftmax(scores);
  const ranking = order(scores, unmasked(scores));
  if (params.temperature === 0) {
    const id = ranking[0] as number;
    const q = scores.map((_, i) => (i === id ? 1 : 0));
    return { id, logprob: logprobs[id] as number, scores, logprobs, processed: scores, q, entropy: 0, ranking };
  }
  const l = temper(scores, params.temperature ?? 1);
  const kept = filter(l, params);
  const q = softmax(l, kept);
  const id = walk(q, kept, draw());
  const inside = new Set(kept);
  const processed = l.map((value, i) => (inside.has(i) ? value : -Infinity));
  return { id, logprob: logprobs[id] as number, scores, logprobs, processed, q, entropy: entropyOf(q), ranking };
}

const MASK = (1n << 64n) - 1n;

/** The stream that a request with this seed draws from: child seed and sequence of the purpose `sample`, number 4. */
export function oracleStream(seed: number | bigint): Pcg32 {
  let z = (BigInt(seed) + 4n * 0x9e3779b97f4a7c15n) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return new Pcg32(z ^ (z >> 31n), 4);
}

const VALID: Record<keyof OracleParams, (x: number) => boolean> = {
  temperature: (x) => Number.isFinite(x) && x >= 0,
  top_k: (x) => Number.isInteger(x) && x >= 0,
  top_p: (x) => x > 0 && x <= 1,
  min_p: (x) => x >= 0 && x <= 1,
  repetition_penalty: (x) => Number.isFinite(x) && x > 0,
  presence_penalty: Number.isFinite,
  frequency_penalty: Number.isFinite,
};

function checkParams(params: OracleParams): void {
  for (const [name, value] of Object.entries(params)) {
    const valid = VALID[name as keyof OracleParams];
    if (valid === undefined || typeof value !== 'number' || !valid(value)) throw new Refused(name);
  }
}

/** Step 1. */
function widen(logits: ArrayLike<number>): number[] {
  const l = Array.from(logits);
  for (const x of l) if (Number.isNaN(x) || x === Infinity) throw new Refused('logits');
  if (unmasked(l).length === 0) throw new Refused('logits');
  return l;
}

/** Steps 2 and 3. */
function penalize(raw: number[], params: OracleParams, out: readonly number[], prompt: readonly number[]): number[] {
  const l = [...raw];
  for (const id of [...prompt, ...out]) {
    if (!Number.isInteger(id) || id < 0 || id >= l.length) throw new Refused('id');
  }
  const r = params.repetition_penalty ?? 1;
  if (r !== 1) {
    for (const id of new Set([...prompt, ...out])) {
      const value = l[id] as number;
      l[id] = value > 0 ? value / r : value * r;
    }
  }
  const ap = params.presence_penalty ?? 0;
  const af = params.frequency_penalty ?? 0;
  if (ap !== 0 || af !== 0) {
    for (const id of new Set(out)) {
      const c = out.filter((other) => other === id).length;
      const less = (l[id] as number) - af * c;
      l[id] = less - ap;
    }
  }
  return refuseOverflow(l);
}

/** Step 5. */
function temper(l: number[], t: number): number[] {
  return t === 1 ? l : refuseOverflow(l.map((value) => value / t));
}

/** A logit may sink to -Infinity, which removes its id; it may not become +Infinity or NaN, and one has to stay. */
function refuseOverflow(l: number[]): number[] {
  for (const value of l) if (Number.isNaN(value) || value === Infinity) throw new Refused('overflow');
  if (unmasked(l).length === 0) throw new Refused('nothing left');
  return l;
}

/** Steps 6 to 8: K, ascending. */
function filter(l: number[], params: OracleParams): number[] {
  const k = params.top_k ?? 0;
  const p = params.top_p ?? 1;
  const m = params.min_p ?? 0;
  let kept = unmasked(l);
  if (k > 0) kept = ascending(order(l, kept).slice(0, k));
  if (p !== 1) kept = nucleus(l, kept, p);
  if (m !== 0) {
    const q = softmax(l, kept);
    const top = kept.reduce((best, id) => Math.max(best, q[id] as number), 0);
    kept = kept.filter((id) => (q[id] as number) >= m * top);
  }
  return kept;
}

/** Step 7. */
function nucleus(l: number[], kept: number[], p: number): number[] {
  const q = softmax(l, kept);
  const inside: number[] = [];
  let s = 0;
  for (const id of order(l, kept)) {
    inside.push(id);
    s = s + (q[id] as number);
    if (s >= p) break;
  }
  return ascending(inside);
}

/** Step 9 over `kept`, which is ascending. */
function softmax(l: number[], kept: number[]): number[] {
  let max = -Infinity;
  for (const id of kept) if ((l[id] as number) > max) max = l[id] as number;
  const e = l.map(() => 0);
  let z = 0;
  for (const id of kept) {
    e[id] = exp((l[id] as number) - max);
    z = z + (e[id] as number);
  }
  return e.map((value) => value / z);
}

/** Step 11. */
function walk(q: number[], kept: number[], u: number): number {
  let c = 0;
  for (const id of kept) {
    c = c + (q[id] as number);
    if (u < c) return id;
  }
  return kept.filter((id) => (q[id] as number) > 0).at(-1) as number;
}

function logSoftmax(l: number[]): number[] {
  let max = -Infinity;
  for (const value of l) if (value > max) max = value;
  let z = 0;
  for (const value of l) z = z + exp(value - max);
  const logZ = log(z);
  return l.map((value) => value - max - logZ);
}

function entropyOf(q: number[]): number {
  let h = 0;
  for (const value of q) if (value > 0) h = h - value * log(value);
  return h;
}

function unmasked(l: number[]): number[] {
  const ids: number[] = [];
  for (let id = 0; id < l.length; id++) if (l[id] !== -Infinity) ids.push(id);
  return ids;
}

function ascending(ids: number[]): number[] {
  return [...ids].sort((a, b) => a - b);
}

/** By logit, highest first; among equals the lower id first. */
function order(l: number[], ids: number[]): number[] {
  return [...ids].sort((a, b) => {
    const [la, lb] = [l[a] as number, l[b] as number];
    if (la > lb) return -1;
    return la < lb ? 1 : a - b;
  });
}
