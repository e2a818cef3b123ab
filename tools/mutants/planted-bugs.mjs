/**
 * The planted bugs of the spec, each as an edit of the source: text to find, exactly once, and what to put there.
 * The numbers are the spec's; those without one are its last five. Behind them are bugs of others' choosing that no test
 * noticed once.
 */
const SPEC_CHAIN = 'src/chain/spec-chain.ts';
const SPEC_STEPS = 'processors/spec-steps.ts';
const ROW = 'src/candidates/row-candidates.ts';
const LIST = 'src/candidates/list-candidates.ts';
const REPETITION = 'processors/penalties/repetition-penalty.ts';
const PRESENCE = 'processors/penalties/presence-frequency.ts';
const SCHEMA = 'processors/schema.ts';
const NUMERICS = 'src/numerics/numerics.ts';

const swap = (first, second) => ({
  file: SPEC_STEPS,
  find: `  ${first},\n  ${second},\n`,
  put: `  ${second},\n  ${first},\n`,
});

const SUM_LOOP = `      let sum = 0;
      for (let i = 0; i < count; i++) {
        const e = exp((logits[i] as number) - max);
        exps[i] = e;
        sum += e;
      }
      return sum;`;

const COMPENSATED = `      let sum = 0;
      let lost = 0;
      for (let i = 0; i < count; i++) {
        const e = exp((logits[i] as number) - max);
        exps[i] = e;
        const t = sum + e;
        lost += Math.abs(sum) >= Math.abs(e) ? sum - t + e : e - t + sum;
        sum = t;
      }
      return sum + lost;`;

const PAIRWISE = `      for (let i = 0; i < count; i++) exps[i] = exp((logits[i] as number) - max);
      const pairwise = (from: number, to: number): number => {
        if (to - from === 1) return exps[from] as number;
        const middle = (from + to) >>> 1;
        return pairwise(from, middle) + pairwise(middle, to);
      };
      return pairwise(0, count);`;

const LAST_BEST = `(() => {
        let best = 0;
        for (let i = 1; i < candidates.size; i++) if (candidates.logitAt(i) >= candidates.logitAt(best)) best = i;
        return candidates.idAt(best);
      })()`;

export const PLANTED_BUGS = [
  {
    id: '1',
    what: 'temperature before penalties and logprobs',
    edits: [
      { file: SPEC_STEPS, find: '  PresenceFrequency,\n  Temperature,', put: '  PresenceFrequency,' },
      {
        file: SPEC_STEPS,
        find: 'Object.freeze([\n  Repetition',
        put: 'Object.freeze([\n  Temperature,\n  Repetition',
      },
      { file: SPEC_CHAIN, find: 'before.length + SCORES', put: 'before.length + SCORES + 1' },
    ],
  },
  {
    id: '2',
    what: 'top-k ties to the highest id',
    edits: [{ file: 'src/ranking/logit-sorter.ts', find: 'as number) < logit', put: 'as number) <= logit' }],
  },
  { id: '3', what: 'top-p with >', edits: [{ file: LIST, find: '!(s >= p)', put: '!(s > p)' }] },
  {
    id: '4',
    what: 'logprob of the filtered, tempered distribution',
    edits: [
      { file: 'src/chain/processor-chain.ts', find: '    const scores = candidates.tapScores();\n', put: '' },
      {
        file: 'src/chain/processor-chain.ts',
        find: '    return scores;\n',
        put: '    return candidates.tapScores();\n',
      },
    ],
  },
  {
    id: '5',
    what: 'repetition divides negative logits',
    edits: [{ file: REPETITION, find: 'l > 0 ? l / penalty : l * penalty', put: 'l / penalty' }],
  },
  {
    id: '6',
    what: 'presence and frequency count the prompt',
    edits: [
      { file: PRESENCE, find: 'of history.generated', put: 'of history.seen' },
      {
        file: PRESENCE,
        find: 'history.outputCount(id)',
        put: '(history.outputCount(id) + history.prompt.filter((other) => other === id).length)',
      },
    ],
  },
  {
    id: '7',
    what: 'frequency ignores the count',
    edits: [{ file: PRESENCE, find: 'frequency * history.outputCount(id)', put: 'frequency' }],
  },
  {
    id: '8',
    what: 'min-p as an absolute threshold',
    edits: [{ file: LIST, find: 'share * (1 / this.normalizer())', put: 'share' }],
  },
  {
    id: '9',
    what: 'greedy ties to the highest id',
    edits: [{ file: 'processors/shaping/temperature.ts', find: 'candidates.idAtRank(0)', put: LAST_BEST }],
  },
  {
    id: '10',
    what: 'greedy draws',
    edits: [
      {
        file: 'src/sampler/sampler.ts',
        find: 'if (settled !== undefined) return settled;',
        put: 'if (settled !== undefined) {\n      this.#uniforms.draw(OWNER);\n      return settled;\n    }',
      },
      {
        file: 'src/spec.ts',
        find: "token.candidates.settled ?? inverseCdf(token.candidates, drawUniform(rng, 'sample'))",
        put: "[token.candidates.settled ?? -1, drawUniform(rng, 'sample')][0] as number",
      },
    ],
  },
  { id: '11', what: 'compensated sum', edits: [{ file: NUMERICS, find: SUM_LOOP, put: COMPENSATED }] },
  { id: '12', what: 'pairwise sum', edits: [{ file: NUMERICS, find: SUM_LOOP, put: PAIRWISE }] },
  { id: '13', what: 'top-p on the distribution before top-k', edits: [swap('TopK', 'TopP')] },
  {
    id: '14',
    what: 'inverse CDF with 1 - u',
    edits: [
      { file: 'src/candidates/candidate-set.ts', find: 'this.#source().walk(u)', put: 'this.#source().walk(1 - u)' },
    ],
  },
  {
    id: '15',
    what: 'PCG32(seed) instead of the stream',
    edits: [
      {
        file: 'src/random/pcg32.ts',
        find: 'new Pcg32(childSeed(seed, purpose), PURPOSES[purpose])',
        put: 'new Pcg32(seed)',
      },
    ],
  },
  {
    id: '16',
    what: 'repetition per occurrence',
    edits: [{ file: REPETITION, find: 'history.seen', put: '[...history.prompt, ...history.output]' }],
  },
  {
    id: '17',
    what: 'top-k keeps k + 1',
    edits: [{ file: 'processors/filters/top-k.ts', find: 'Math.max(k, min_keep)', put: 'Math.max(k + 1, min_keep)' }],
  },
  { id: '18', what: 'min-p before top-p', edits: [swap('TopP', 'MinP')] },
  {
    id: '20',
    what: 'top-p drops the crossing token',
    edits: [{ file: LIST, find: 'Math.max(kept, least)', put: 'Math.max(least, s >= p ? kept - 1 : kept)' }],
  },
  { id: '21', what: 'presence before repetition', edits: [swap('RepetitionPenalty', 'PresenceFrequency')] },
  {
    id: '22',
    what: 'removed ids at -1e9',
    edits: [{ file: 'src/candidates/candidate-set.ts', find: '.fill(-Infinity)', put: '.fill(-1e9)' }],
  },
  {
    id: '19',
    what: 'entropy of the unfiltered softmax',
    edits: [
      {
        file: 'src/spec.ts',
        find: 'token.process();\n    return token.candidates.entropy();',
        put: 'token.score();\n    return token.candidates.entropy();',
      },
    ],
  },
  {
    id: 'p0',
    what: 'top_p = 0 accepted',
    edits: [
      { file: SCHEMA, find: "'a number in (0, 1]', (x) => x > 0 &&", put: "'a number in (0, 1]', (x) => x >= 0 &&" },
    ],
  },
  {
    id: 'm1',
    what: 'min_p = 1 refused',
    edits: [{ file: SCHEMA, find: 'x >= 0 && x <= 1', put: 'x >= 0 && x < 1' }],
  },
  {
    id: 'r0',
    what: 'repetition_penalty = 0 accepted',
    edits: [{ file: SCHEMA, find: "'a finite number > 0', (x) => x > 0", put: "'a finite number > 0', (x) => x >= 0" }],
  },
  {
    id: 'ids',
    what: 'ids outside the vocabulary accepted',
    edits: [
      {
        file: 'src/sampler/token-history.ts',
        find: 'if (this.#largest < vocabSize) return;',
        put: 'if (this.#largest < Infinity) return;',
      },
    ],
  },
  {
    id: 'underflow',
    what: 'an edit that underflows under temperature stays counted on a row',
    edits: [{ file: 'src/numerics/edits.ts', find: 'return least / divisor > -Infinity;', put: 'return true;' }],
  },
  {
    id: 'divisor',
    what: 'a divisor so small that logits underflow is put off',
    edits: [{ file: ROW, find: 'LEAST_DIVISOR = 1e-100', put: 'LEAST_DIVISOR = 1e-305' }],
  },
  {
    id: 'returned',
    what: 'uniforms that were returned come back in the wrong order',
    edits: [
      {
        file: 'src/sampler/token-uniforms.ts',
        find: 'this.#returned.unshift(...this.#current.slice(0, this.#drawn))',
        put: 'this.#returned.push(...this.#current.slice(0, this.#drawn))',
      },
    ],
  },
  {
    id: 'nothing',
    what: 'a batch throws where a row has nothing left',
    edits: [
      {
        file: 'src/sampler/sample-row.ts',
        find: '    return toError(thrown);',
        put: "    if (thrown?.constructor?.name === 'NothingLeftError') throw thrown;\n    return toError(thrown);",
      },
    ],
  },
];
