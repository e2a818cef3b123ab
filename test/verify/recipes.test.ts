/**
 * The inputs are what their names say, and what digests.json holds is what Python gives for them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exp } from '../../src/numerics/index.js';
import { validate } from '../../src/spec.js';
import { expInputs, logInputs } from '../../src/verify/exp-log-inputs.js';
import { makeRequest, REQUESTS } from '../../src/verify/random-requests.js';
import { FIXTURES } from './fixture-reader.js';

const LEAST_NORMAL = 2 ** -1022;

/** The share of the inputs of a kind for which `is` holds. */
function share(kinds: ReturnType<typeof expInputs>, kind: string, is: (x: number) => boolean): number {
  const { inputs } = kinds.find((one) => one.kind === kind) as { inputs: Float64Array };
  return inputs.filter(is).length / inputs.length;
}

describe('the inputs of exp', () => {
  const kinds = expInputs();

  it.each<[string, string, (x: number) => boolean]>([
    ['subnormal results', 'results below the least normal', (x) => exp(x) > 0 && exp(x) < LEAST_NORMAL],
    ['results that vanish', 'results of 0', (x) => exp(x) === 0],
    ['arguments around the overflow', 'infinite results', (x) => exp(x) === Infinity],
    ['arguments around the overflow', 'finite results', (x) => exp(x) < Infinity],
    ['tiny arguments', 'results of 1', (x) => exp(x) === 1 && x !== 0],
    ['arguments of the scaled last step', 'arguments below -512', (x) => x <= -512],
    ['borders below 0', 'infinite, zero and negative arguments', (x) => x <= 0],
  ])('of kind "%s" give %s', (kind, _, is) => {
    expect(share(kinds, kind, is)).toBeGreaterThan(0.1);
  });
});

describe('the inputs of log', () => {
  const kinds = logInputs();

  it.each<[string, string, (x: number) => boolean]>([
    ['sums of a softmax', 'at least 1', (x) => x >= 1 && x < 200000],
    ['probabilities', 'in (0, 1]', (x) => x > 0 && x <= 1],
    ['arguments very near one', 'on both sides of 1', (x) => x !== 1 && Math.abs(x - 1) < 2 ** -4],
    ['subnormal arguments', 'subnormal', (x) => x > 0 && x < LEAST_NORMAL],
    ['normal arguments', 'normal', (x) => x >= LEAST_NORMAL && x < Infinity],
  ])('of kind "%s" are %s', (kind, _, is) => {
    expect(share(kinds, kind, is)).toBeGreaterThan(0.9);
  });
});

describe('the random requests', () => {
  const requests = Array.from({ length: REQUESTS }, (_, n) => makeRequest(n));
  const sizes = requests.map(({ logits }) => logits.length);

  it('are the same each time', () => {
    expect(makeRequest(17)).toEqual(requests[17]);
  });

  it('reach from one id to 151,936', () => {
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, 151_936]);
    expect(sizes.filter((size) => size >= 32_000)).toHaveLength(8);
  });

  it('use every parameter', () => {
    const { max_tokens, stop, logprobs, ...policy } = validate();
    for (const name of Object.keys(policy)) {
      expect(requests.filter(({ params }) => name in params).length, name).toBeGreaterThan(50);
    }
  });

  it('hold ties, masks, signed zeros, float64 logits and greedy ones', () => {
    const counts = {
      ties: requests.filter(({ logits }) => new Set(logits).size < logits.length).length,
      masks: requests.filter(({ logits }) => logits.includes(-Infinity)).length,
      'negative zeros': requests.filter(({ logits }) => Array.from(logits).some((x) => Object.is(x, -0))).length,
      float64: requests.filter(({ logits }) => logits instanceof Float64Array).length,
      greedy: requests.filter(({ params }) => params.temperature === 0).length,
    };
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(15);
  });
});

/** The bits promised are those of glibc. */
function whyNoPython(): string | undefined {
  if (process.platform !== 'linux') return `no glibc on ${process.platform}`;
  return spawnSync('python3', ['--version']).status === 0 ? undefined : 'no python3 on this machine';
}

describe('digests.json', () => {
  const missing = whyNoPython();
  const reason = missing === undefined ? '' : ` (skipped: ${missing})`;

  it.skipIf(missing !== undefined)(`holds what Python gives for exp, log, the sums and PCG32${reason}`, () => {
    const script = fileURLToPath(new URL('verify/make_digests.py', FIXTURES));
    const { stdout } = spawnSync('python3', [script], { encoding: 'utf8' });
    const { requests, model, grammars, ...rest } = JSON.parse(
      readFileSync(new URL('verify/digests.json', FIXTURES), 'utf8'),
    );
    expect(JSON.parse(stdout)).toEqual(rest);
    expect(requests).toHaveLength(REQUESTS);
    expect(model.tokens).toHaveLength(200);
    expect(Object.keys(grammars)).toHaveLength(43);
  });
});
