/**
 * The same policies as plain loops over an array, with the engine's own Math, as a processor for transformers.js has them:
 * what is left out is at -Infinity, and the token is drawn from the softmax over the rest.
 */

export function etaLoop(epsilon) {
  return (given, u) => {
    const logits = given.slice();
    const q = softmax(logits);
    let h = 0;
    for (let i = 0; i < q.length; i++) if (q[i] > 0) h -= q[i] * Math.log(q[i]);
    const threshold = Math.min(epsilon, Math.sqrt(epsilon) * Math.exp(-h));
    for (let i = 0; i < q.length; i++) if (q[i] < threshold) logits[i] = -Infinity;
    return draw(softmax(logits), u);
  };
}

export function typicalLoop(p) {
  return (given, u) => {
    const logits = given.slice();
    const q = softmax(logits);
    const logQ = q.map((x) => Math.log(x));
    let h = 0;
    for (let i = 0; i < q.length; i++) if (q[i] > 0) h -= q[i] * logQ[i];
    const order = Array.from(q.keys()).sort((a, b) => Math.abs(-logQ[a] - h) - Math.abs(-logQ[b] - h));
    let s = 0;
    let count = 0;
    while (count < order.length && s < p) s += q[order[count++]];
    for (const id of order.slice(count)) logits[id] = -Infinity;
    return draw(softmax(logits), u);
  };
}

function softmax(logits) {
  let max = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i] > max) max = logits[i];
  const q = new Float64Array(logits.length);
  let total = 0;
  for (let i = 0; i < q.length; i++) {
    q[i] = Math.exp(logits[i] - max);
    total += q[i];
  }
  for (let i = 0; i < q.length; i++) q[i] /= total;
  return q;
}

function draw(q, u) {
  let c = 0;
  for (let id = 0; id < q.length; id++) {
    c += q[id];
    if (u < c) return id;
  }
  return q.length - 1;
}
