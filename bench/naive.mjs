/**
 * The sampling step as one finds it written in JavaScript: an array of objects, `map`, `filter`, `reduce`, a full sort
 * with a comparator, `Math.exp`. It follows the same rules in the same order, so that both can be asked for one token.
 */

/**
 * One token.
 * @param {Float32Array} logits f32[V]
 * @param params complete sampling parameters
 * @param {number[]} prompt ids
 * @param {number[]} output ids generated so far
 * @param {number} u a uniform on [0, 1)
 */
export function naiveSample(logits, params, prompt, output, u) {
  const scores = Array.from(logits, (logit, id) => ({ id, logit }));
  penalize(scores, params, prompt, output);
  const max = largest(scores).logit;
  const total = scores.reduce((sum, { logit }) => sum + Math.exp(logit - max), 0);
  const chosen = params.temperature === 0 ? largest(scores) : draw(filter(scores, params), u);
  return { id: chosen.id, logprob: scores[chosen.id].logit - max - Math.log(total) };
}

function penalize(scores, params, prompt, output) {
  const { repetition_penalty: r, presence_penalty: presence, frequency_penalty: frequency } = params;
  if (r !== 1) {
    for (const id of new Set([...prompt, ...output])) {
      const { logit } = scores[id];
      scores[id].logit = logit > 0 ? logit / r : logit * r;
    }
  }
  if (presence !== 0 || frequency !== 0) {
    for (const id of new Set(output)) {
      const count = output.filter((other) => other === id).length;
      scores[id].logit -= frequency * count + presence;
    }
  }
}

/** The candidates that temperature and filters leave, with their probabilities, by ascending id. */
function filter(scores, params) {
  let candidates = scores.map(({ id, logit }) => ({ id, logit: logit / params.temperature }));
  const ranked = params.top_k > 0 || params.top_p < 1;
  if (ranked) candidates.sort((a, b) => b.logit - a.logit || a.id - b.id);
  if (params.top_k > 0) candidates = candidates.slice(0, params.top_k);
  candidates = softmax(candidates);
  if (params.top_p < 1) candidates = softmax(nucleus(candidates, params.top_p));
  if (params.min_p > 0) {
    const threshold = params.min_p * largest(candidates).probability;
    candidates = softmax(candidates.filter(({ probability }) => probability >= threshold));
  }
  return ranked ? candidates.sort((a, b) => a.id - b.id) : candidates;
}

function softmax(candidates) {
  const max = largest(candidates).logit;
  const exps = candidates.map(({ logit }) => Math.exp(logit - max));
  const total = exps.reduce((sum, e) => sum + e, 0);
  return candidates.map(({ id, logit }, i) => ({ id, logit, probability: exps[i] / total }));
}

function nucleus(ranked, p) {
  let sum = 0;
  const last = ranked.findIndex(({ probability }) => {
    sum += probability;
    return sum >= p;
  });
  return last < 0 ? ranked : ranked.slice(0, last + 1);
}

function draw(candidates, u) {
  let sum = 0;
  const found = candidates.find(({ probability }) => {
    sum += probability;
    return u < sum;
  });
  return found ?? candidates[candidates.length - 1];
}

function largest(candidates) {
  return candidates.reduce((best, candidate) => (candidate.logit > best.logit ? candidate : best));
}
