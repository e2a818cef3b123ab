/**
 * Steps as an author would write them: over all ids at once, through the arrays of the candidates.
 */

/** Min-p by logits: what is at least ln m below the largest. */
export function minP(m) {
  return {
    name: 'own-min-p',
    process: (candidates, { numerics }) => candidates.keepAtLeast(candidates.maxLogit() + numerics.log(m)),
  };
}

/** Eta sampling (Hewitt et al. 2022, arXiv 2210.15191): keeps q >= min(epsilon, sqrt(epsilon) exp(-H)), and the best. */
export function eta(epsilon) {
  return {
    name: 'own-eta',
    process(candidates, { numerics }) {
      const threshold = Math.min(epsilon, numerics.sqrt(epsilon) * numerics.exp(-entropyOf(candidates)));
      const max = candidates.maxLogit();
      const least = max + numerics.log(threshold) - numerics.log(candidates.maxProbability()); // as ln q = (l - max) - ln Z
      candidates.keepAtLeast(Math.min(least, max));
    },
  };
}

/** Typical sampling (Meister et al. 2022, arXiv 2202.00666): from where -ln q is H outwards, until q sums up to p. */
export function typical(p) {
  return {
    name: 'own-typical',
    process(candidates, { numerics }) {
      const h = entropyOf(candidates);
      const max = candidates.maxLogit();
      const logZ = -numerics.log(candidates.maxProbability()); // ln q = (l - max) - ln Z, and the largest q is 1 / Z
      const { logits, probabilities } = candidates.ranked(candidates.size);
      const surprise = (rank) => Math.abs(max - logits[rank] + logZ - h);
      let right = 0;
      while (right < logits.length && max - logits[right] + logZ < h) right++;
      let left = right - 1;
      for (let s = 0; s < p && right - left - 1 < logits.length; ) {
        const takesRight = left < 0 || (right < logits.length && surprise(right) < surprise(left));
        s += probabilities[takesRight ? right++ : left--];
      }
      const [least, most] = [logits[right - 1], logits[left + 1]];
      candidates.keepAtLeast(least);
      const kept = candidates.logits();
      candidates.keepIds((_id, index) => kept[index] <= most);
    },
  };
}

/** H, in nats. */
function entropyOf(candidates) {
  const q = candidates.probabilities();
  const logQ = candidates.logProbabilities();
  let h = 0;
  for (let i = 0; i < q.length; i++) h -= q[i] * logQ[i];
  return h;
}
