/**
 * What the systems do to one row of logits, each written plainly from that system's documented rules, in its own order and in its
 * own way of saying them: cumulative sums from below, thresholds on logits, and so on. Nothing of Lockstep is used.
 */

/** An id that is left, with its logit. */
export interface Entry {
  readonly id: number;
  readonly l: number;
}

export type Row = readonly Entry[];

/** What a token comes after, and the uniform of a step that draws. */
export interface Before {
  readonly prompt: readonly number[];
  readonly output: readonly number[];
  readonly uniform: number;
}

type Values = Readonly<Record<string, number>>;

const logits = (row: Row) => row.map(({ l }) => l);
const descending = (row: Row) => [...row].sort((a, b) => b.l - a.l || a.id - b.id);

function softmax(l: readonly number[]): number[] {
  const max = Math.max(...l);
  const e = l.map((x) => Math.exp(x - max));
  const z = e.reduce((s, x) => s + x, 0);
  return e.map((x) => x / z);
}

const entropy = (p: readonly number[]) => p.reduce((h, x) => (x > 0 ? h - x * Math.log(x) : h), 0);
const divided = (row: Row, t: number) => row.map(({ id, l }) => ({ id, l: l / t }));
const greedy = (row: Row) => descending(row).slice(0, 1);

function biased(row: Row, bias: Values): Row {
  return row.map(({ id, l }) => ({ id, l: l + (bias[id] ?? 0) }));
}

function repeated(row: Row, theta: number, ids: readonly number[]): Row {
  return row.map(({ id, l }) => ({ id, l: ids.includes(id) ? (l < 0 ? l * theta : l / theta) : l }));
}

function counted(row: Row, presence: number, frequency: number, ids: readonly number[]): Row {
  return row.map(({ id, l }) => {
    const count = ids.filter((other) => other === id).length;
    return { id, l: count > 0 ? l - (count * frequency + presence) : l };
  });
}

/** Without breakers: each earlier place of the last id, and how far back the texts before both places agree. */
function dry(row: Row, multiplier: number, base: number, allowed: number, ids: readonly number[]): Row {
  const longest = new Map<number, number>();
  const end = ids.length - 1;
  for (let i = 0; i < end; i++) {
    let length = 0;
    while (length <= i && ids[i - length] === ids[end - length]) length++;
    const next = ids[i + 1] as number;
    if (length > 0) longest.set(next, Math.max(length, longest.get(next) ?? 0));
  }
  return row.map(({ id, l }) => {
    const length = longest.get(id) ?? 0;
    return { id, l: length > 0 && length >= allowed ? l - multiplier * base ** (length - allowed) : l };
  });
}

/** The last `count` ids; 0 is all of them. */
const last = (ids: readonly number[], count: number) => (count > 0 ? ids.slice(-count) : ids);

const topK = (row: Row, k: number) => descending(row).slice(0, k);

/** From below: what is left of 1 - p goes. */
function topPFromBelow(row: Row, p: number): Row {
  const sorted = descending(row).reverse();
  const q = softmax(logits(sorted));
  let sum = 0;
  return sorted.filter((_, i) => {
    sum += q[i] as number;
    return sum > 1 - p || i === sorted.length - 1;
  });
}

/** From above: up to and with the one that reaches p. */
function topPFromAbove(row: Row, p: number, least = 0): Row {
  const sorted = descending(row);
  const q = softmax(logits(sorted));
  let sum = 0;
  for (let i = 0; i < sorted.length; i++) {
    sum += q[i] as number;
    if (sum >= p && i + 1 >= least) return sorted.slice(0, i + 1);
  }
  return sorted;
}

function minPOfShares(row: Row, m: number): Row {
  const q = softmax(logits(row));
  const best = Math.max(...q);
  return row.filter((_, i) => (q[i] as number) >= m * best);
}

function minPOfLogits(row: Row, m: number, least = 1): Row {
  const bound = Math.max(...logits(row)) + Math.log(m);
  const stay = row.filter(({ l }) => l >= bound);
  return stay.length >= least ? stay : topK(row, least);
}

function typical(row: Row, p: number, least = 1): Row {
  const q = softmax(logits(row));
  const h = entropy(q);
  const order = row.map((entry, i) => ({ entry, q: q[i] as number, far: Math.abs(-Math.log(q[i] as number) - h) }));
  order.sort((a, b) => a.far - b.far || a.entry.id - b.entry.id);
  let sum = 0;
  let count = 0;
  for (const { q: share } of order) {
    sum += share;
    count++;
    if (sum > p && count >= least) break;
  }
  return order.slice(0, count).map(({ entry }) => entry);
}

function cutoff(row: Row, bound: number): Row {
  const q = softmax(logits(row));
  const stay = row.filter((_, i) => (q[i] as number) >= bound);
  return stay.length > 0 ? stay : greedy(row);
}

const eta = (row: Row, e: number) => cutoff(row, Math.min(e, Math.sqrt(e) * Math.exp(-entropy(softmax(logits(row))))));

function topH(row: Row, h: number): Row {
  const best = descending(row).slice(0, 100);
  const q = softmax(logits(best));
  const bound = h * entropy(q);
  let sum = 0;
  return best.filter((_, i) => {
    const x = q[i] as number;
    sum -= x * Math.log(x);
    return sum <= bound || i === 0;
  });
}

function topNSigma(row: Row, n: number): Row {
  const l = logits(row);
  const mean = l.reduce((s, x) => s + x, 0) / l.length;
  const sigma = Math.sqrt(l.reduce((s, x) => s + (x - mean) ** 2, 0) / l.length);
  return row.filter(({ l: x }) => x >= Math.max(...l) - n * sigma);
}

function topA(row: Row, a: number): Row {
  const q = softmax(logits(row));
  return row.filter((_, i) => (q[i] as number) >= a * Math.max(...q) ** 2);
}

function tailFree(row: Row, z: number): Row {
  const sorted = descending(row);
  if (sorted.length < 3) return sorted;
  const q = softmax(logits(sorted));
  const d1 = q.slice(1).map((x, i) => (q[i] as number) - x);
  const d2 = d1.slice(1).map((x, i) => Math.abs((d1[i] as number) - x));
  const total = d2.reduce((s, x) => s + x, 0);
  let sum = 0;
  const gone = d2.map((x) => {
    sum += x / total;
    return sum > z;
  });
  return sorted.filter((_, j) => j === 0 || (j < sorted.length - 1 && !gone[j - 1]));
}

/** Draws once; acts below `probability`. */
function xtc(row: Row, probability: number, threshold: number, uniform: number, least = 1): Row {
  const sorted = descending(row);
  const q = softmax(logits(sorted));
  const choices = q.filter((x) => x >= threshold).length;
  if (uniform >= probability || choices < 2 || sorted.length - (choices - 1) < least) return row;
  return sorted.slice(choices - 1);
}

function dynamic(row: Row, low: number, high: number, exponent: number): Row {
  if (row.length <= 1) return row;
  const h = entropy(softmax(logits(row))) / Math.log(row.length);
  return divided(row, low + (high - low) * h ** exponent);
}

function smoothed(row: Row, f: number, c: number): Row {
  const max = Math.max(...logits(row));
  const [k, s] = [(3 - c) / 2, (c - 1) / 2];
  return row.map(({ id, l }) => {
    const d = l - max;
    return { id, l: max - k * f * d * d + s * f * d * d * d };
  });
}

function mirostat2(row: Row, tau: number): Row {
  const sorted = descending(row);
  const q = softmax(logits(sorted));
  const cut = q.findIndex((x) => -Math.log2(x) > 2 * tau);
  return sorted.slice(0, cut < 0 ? sorted.length : Math.max(cut, 1));
}

function noRepeat(row: Row, n: number, ids: readonly number[]): Row {
  const end = ids.slice(ids.length - n + 1);
  const banned = new Set<number>();
  for (let i = 0; i + n <= ids.length; i++) {
    if (end.every((id, j) => ids[i + j] === id)) banned.add(ids[i + n - 1] as number);
  }
  return row.filter(({ id }) => !banned.has(id));
}

/** vLLM V1: penalties, temperature, min_p, top_k, top_p. */
export function vllm(row: Row, p: Values & { logit_bias: Values }, { prompt, output }: Before): Row {
  let now = biased(row, p.logit_bias);
  now = repeated(now, p.repetition_penalty as number, [...prompt, ...output]);
  now = now.map(({ id, l }) => {
    const count = output.filter((other) => other === id).length;
    return { id, l: l - count * (p.frequency_penalty as number) - (count > 0 ? (p.presence_penalty as number) : 0) };
  });
  if ((p.temperature as number) < 1e-5) return greedy(now);
  now = divided(now, Math.max(p.temperature as number, 0.01));
  now = minPOfShares(now, p.min_p as number);
  if ((p.top_k as number) > 0) now = topK(now, p.top_k as number);
  return topPFromBelow(now, p.top_p as number);
}

/** transformers: sequence bias, the encoder's penalty, repetition, no-repeat-ngram, suppress, temperature, top_h, top_k, top_p, min_p, typical, epsilon, eta. */
export function huggingface(row: Row, p: Values & { suppress: readonly number[] }, { prompt, output }: Before): Row {
  const ids = [...prompt, ...output];
  let now: Row = row.map(({ id, l }) => ({ id, l: id === p.biased ? l + 1.5 : l }));
  now = repeated(now, 1 / (p.encoder_repetition_penalty as number), prompt);
  now = repeated(now, p.repetition_penalty as number, ids);
  now = noRepeat(now, p.no_repeat_ngram_size as number, ids);
  now = now.filter(({ id }) => !p.suppress.includes(id));
  now = divided(now, p.temperature as number);
  now = topH(now, p.top_h as number);
  now = topK(now, p.top_k as number);
  now = topPFromBelow(now, p.top_p as number);
  now = minPOfShares(now, p.min_p as number);
  now = typical(now, p.typical_p as number);
  now = cutoff(now, p.epsilon_cutoff as number);
  return eta(now, p.eta_cutoff as number);
}

/** llama.cpp: the samplers of `letters`, one after another. */
export function llamaCpp(row: Row, letters: string, p: Values, { prompt, output, uniform }: Before): Row {
  const v = (name: string) => p[name] as number;
  const least = v('min_keep');
  const samplers: Readonly<Record<string, (now: Row) => Row>> = {
    e: (now) => {
      const ids = last([...prompt, ...output], Math.max(v('repeat_last_n'), 0));
      return counted(repeated(now, v('repeat_penalty'), ids), v('presence_penalty'), v('frequency_penalty'), ids);
    },
    d: (now) => {
      const ids = last([...prompt, ...output], v('dry_penalty_last_n'));
      return dry(now, v('dry_multiplier'), v('dry_base'), v('dry_allowed_length'), ids);
    },
    s: (now) => topNSigma(now, v('top_n_sigma')),
    k: (now) => topK(now, v('top_k')),
    y: (now) => typical(now, v('typical_p'), least),
    p: (now) => topPFromAbove(now, v('top_p'), least),
    m: (now) => minPOfLogits(now, v('min_p'), least),
    x: (now) => xtc(now, v('xtc_probability'), v('xtc_threshold'), uniform, least),
    t: (now) => {
      const [t, range] = [v('temperature'), v('dynatemp_range')];
      return range > 0 ? dynamic(now, Math.max(0, t - range), t + range, v('dynatemp_exponent')) : divided(now, t);
    },
  };
  return [...letters].reduce((now, letter) => (samplers[letter] as (now: Row) => Row)(now), row);
}

/** llama.cpp with mirostat 2: temperature, then mirostat. */
export function llamaCppMirostat(row: Row, p: Values): Row {
  return mirostat2(divided(row, p.temperature as number), p.mirostat_tau as number);
}

/** mlx-lm: bias, top_p, min_p, xtc, top_k, temperature. */
export function mlxLm(row: Row, p: Values & { logit_bias: Values }, { uniform }: Before): Row {
  let now = biased(row, p.logit_bias);
  if (p.temp === 0) return greedy(now);
  now = topPFromBelow(now, p.top_p as number);
  now = minPOfLogits(now, p.min_p as number, p.min_tokens_to_keep as number);
  now = xtc(now, p.xtc_probability as number, p.xtc_threshold as number, uniform);
  return divided(topK(now, p.top_k as number), p.temp as number);
}

/** text-generation-webui: the samplers of `order`. */
export function webui(row: Row, order: readonly string[], p: Values, { prompt, output, uniform }: Before): Row {
  const v = (name: string) => p[name] as number;
  const ids = [...prompt, ...output];
  const recent = last(ids, v('repetition_penalty_range'));
  const samplers: Readonly<Record<string, (now: Row) => Row>> = {
    repetition_penalty: (now) => repeated(now, v('repetition_penalty'), recent),
    presence_penalty: (now) => counted(now, v('presence_penalty'), 0, recent),
    frequency_penalty: (now) => counted(now, 0, v('frequency_penalty'), recent),
    dry: (now) => dry(now, v('dry_multiplier'), v('dry_base'), v('dry_allowed_length'), recent),
    encoder_repetition_penalty: (now) => repeated(now, 1 / v('encoder_repetition_penalty'), prompt),
    temperature: (now) => divided(now, v('temperature')),
    dynamic_temperature: (now) => dynamic(now, v('dynatemp_low'), v('dynatemp_high'), v('dynatemp_exponent')),
    quadratic_sampling: (now) => smoothed(now, v('smoothing_factor'), v('smoothing_curve')),
    top_k: (now) => topK(now, v('top_k')),
    top_p: (now) => topPFromBelow(now, v('top_p')),
    typical_p: (now) => typical(now, v('typical_p')),
    epsilon_cutoff: (now) => cutoff(now, v('epsilon_cutoff') / 10_000),
    eta_cutoff: (now) => eta(now, v('eta_cutoff') / 10_000),
    tfs: (now) => tailFree(now, v('tfs')),
    top_a: (now) => topA(now, v('top_a')),
    min_p: (now) => minPOfShares(now, v('min_p')),
    xtc: (now) => xtc(now, v('xtc_probability'), v('xtc_threshold'), uniform),
    no_repeat_ngram: (now) => noRepeat(now, v('no_repeat_ngram_size'), ids),
  };
  return order.reduce((now, name) => (samplers[name] as (now: Row) => Row)(now), row);
}

/** Ollama: top_k, temperature, top_p, min_p. */
export function ollama(row: Row, p: Values): Row {
  if (p.temperature === 0) return greedy(row);
  const now = divided(topK(row, p.top_k as number), p.temperature as number);
  return minPOfShares(topPFromAbove(now, p.top_p as number), p.min_p as number);
}

/** pvml: frequency over the whole text, temperature, then top_k or top_p. */
export function pvml(row: Row, p: Values, { prompt, output }: Before): Row {
  const penalized = counted(row, 0, p.frequency_penalty as number, [...prompt, ...output]);
  if (p.temperature === 0) return greedy(penalized);
  const now = divided(penalized, p.temperature as number);
  return (p.top_k as number) > 0 ? topK(now, p.top_k as number) : topPFromAbove(now, p.top_p as number);
}
