import { describe, expect, it } from 'vitest';
import { engineNumerics, exactNumerics, type Numerics } from '../../src/numerics/index.js';
import type { RowKernel } from '../../src/numerics/row.js';
import {
  type GroupDifference,
  type GroupName,
  type VerifyOptions,
  type VerifyReport,
  verify,
} from '../../src/verify/index.js';
import { kernelWith, type RowPasses } from '../support/kernel-with.js';
import { changed, FIXTURES, type Json, put } from './fixture-reader.js';

const DIGESTS = 'verify/digests.json';
const NO_DIGEST = '0123456789abcdef';

/** The report of one group that must differ. */
async function differenceOf(name: GroupName, options: VerifyOptions): Promise<GroupDifference['difference']> {
  const report = await verify({ ...options, groups: [name] });
  const [group] = report.groups;
  expect(report.ok).toBe(false);
  expect(group).toMatchObject({ name, ok: false });
  return (group as GroupDifference).difference;
}

describe('verify', () => {
  it('finds every group in lockstep, with the digests that every engine has', async () => {
    const seen: string[] = [];
    const report = await verify({ onGroup: ({ name }) => seen.push(name) });
    expect(report.groups.filter(({ ok }) => !ok)).toEqual([]);
    expect(report).toMatchObject({ ok: true, numerics: ['exact', 'exact, WebAssembly'] });
    expect(report.passes).toEqual({ passes: 'WebAssembly' });
    expect(seen).toEqual(['golden', 'exp-log', 'pcg32', 'requests', 'model', 'grammars', 'bounds']);
    expect(report.skipped).toBe(0);
    expect(report.groups.slice(0, 4)).toEqual([
      { name: 'golden', ok: true, digest: '37ca97d42147349d', checks: 2 * 576 },
      { name: 'exp-log', ok: true, digest: 'c97e19b31d3144f8', checks: 2 * 733 },
      { name: 'pcg32', ok: true, digest: '2161ff65ef373f19', checks: 140 },
      { name: 'requests', ok: true, digest: 'af4496768fbd4d32', checks: 2 * 984 },
    ]);
    expect(report.groups[4]).toMatchObject({ name: 'model', ok: true, checks: 2 * 602 });
    expect(report.groups[5]).toMatchObject({ name: 'grammars', ok: true, checks: 43 });
  });

  it('reads its files from where it is told', async () => {
    const report = await verify({ files: FIXTURES, groups: ['golden', 'pcg32'], numerics: [exactNumerics] });
    expect(report.groups.map(({ name, ok }) => [name, ok])).toEqual([
      ['golden', true],
      ['pcg32', true],
    ]);
  });

  it('gives the same digest with one numerics as with two', async () => {
    const digest = ({ groups }: VerifyReport) => (groups[0]?.ok ? groups[0].digest : undefined);
    const alone = await verify({ groups: ['golden'], numerics: [exactNumerics] });
    expect(digest(alone)).toBe('37ca97d42147349d');
  });
});

describe('verify, with a result that must be another', () => {
  it.each<{ name: GroupName; path: string; way: (string | number)[]; value?: Json; what: string }>([
    {
      name: 'golden',
      path: 'sampler_golden.json',
      way: ['cases', 3, 'ids', 5],
      value: 2,
      what: 'case top_k_5, token 5, the id',
    },
    {
      name: 'golden',
      path: 'sampler_golden.json',
      way: ['cases', 11, 'logprob_bits', 11],
      what: 'case masked, token 11, the logprob',
    },
    {
      name: 'exp-log',
      path: DIGESTS,
      way: ['exp-log', 'exp', 'subnormal results', 3],
      what: 'exp of subnormal results, one by one, inputs 192 to 255',
    },
    {
      name: 'exp-log',
      path: DIGESTS,
      way: ['exp-log', 'log', 'borders', 1],
      what: 'log of borders, inputs 64 to 84',
    },
    { name: 'exp-log', path: DIGESTS, way: ['exp-log', 'rows', 95], what: 'the exps and the sum of row 95' },
    {
      name: 'pcg32',
      path: DIGESTS,
      way: ['pcg32', 'skips of PCG32(42, sequence 7)'],
      what: 'skips of PCG32(42, sequence 7)',
    },
    { name: 'requests', path: DIGESTS, way: ['requests', 9, 2], what: 'request 9 (V = 7), the distribution' },
    { name: 'model', path: DIGESTS, way: ['model', 'tokens', 199, 1], what: 'token 199, the logprob' },
    { name: 'model', path: DIGESTS, way: ['model', 'weights'], what: 'the file with the weights' },
    {
      name: 'grammars',
      path: DIGESTS,
      way: ['grammars', 'the masks of a choice, text 2'],
      what: 'the masks of a choice, text 2',
    },
  ])('names $name and the first difference: $what', async ({ name, path, way, value = NO_DIGEST, what }) => {
    let got: Json = '';
    const files = changed(path, (content) => {
      got = put(content, way, value);
    });
    const difference = await differenceOf(name, { files });
    expect(difference).toEqual({ what: `${what} (numerics: exact)`, expected: String(value), got: String(got) });
  });

  it('misses what is not there', async () => {
    const files = changed(DIGESTS, (content) => {
      put(content, ['requests'], []);
    });
    expect(await differenceOf('requests', { files })).toMatchObject({ expected: 'a digest' });
  });
});

/** x moved by one unit in the last place. */
function oneOff(x: number): number {
  const words = new BigUint64Array(new Float64Array([x]).buffer);
  words[0] = (words[0] as bigint) ^ 1n;
  return new Float64Array(words.buffer)[0] as number;
}

/** The exact numerics with a row kernel that `change` spoils. */
function withKernel(change: (kernel: RowKernel) => Partial<RowPasses>): Numerics {
  return {
    ...exactNumerics,
    name: 'spoilt',
    rowKernel: (length) => {
      const kernel = exactNumerics.rowKernel(length);
      return kernelWith(kernel, change(kernel));
    },
  };
}

const SPOILT: Record<string, Numerics> = {
  'exp at one kind of input': {
    ...exactNumerics,
    exp: (x) => (x < -720 && x > -720.1 ? oneOff(exactNumerics.exp(x)) : exactNumerics.exp(x)),
  },
  'exp in lists': {
    ...exactNumerics,
    expSum: (logits, count, max, exps) => {
      const sum = exactNumerics.expSum(logits, count, max, exps);
      exps[count - 1] = oneOff(exps[count - 1] as number);
      return sum;
    },
  },
  'exp in rows': withKernel((kernel) => ({
    expSum: (divisor: number, max: number) => {
      const sum = kernel.expSum(divisor, max);
      kernel.arrays.exps[0] = oneOff(kernel.arrays.exps[0] as number);
      return sum;
    },
  })),
  'the sum of a row': withKernel((kernel) => ({
    expSum: (divisor: number, max: number) => oneOff(kernel.expSum(divisor, max)),
  })),
  log: { ...exactNumerics, log: (x) => (x === 2 ? oneOff(exactNumerics.log(x)) : exactNumerics.log(x)) },
};

describe('verify, with numerics that are one bit off', () => {
  it.each([
    ['exp at one kind of input', /^exp of subnormal results, one by one, inputs \d+ to \d+ /],
    ['exp in lists', /^exp of softmax arguments, as a list, inputs 0 to 63 /],
    ['exp in rows', /^exp of softmax arguments, as a row, inputs 0 to 63 /],
    ['the sum of a row', /^the exps and the sum of row 0 /],
    ['log', /^log of borders, inputs \d+ to \d+ /],
  ])('names exp-log and where: %s', async (spoilt, where) => {
    const numerics = SPOILT[spoilt] as Numerics;
    expect((await differenceOf('exp-log', { numerics: [numerics] })).what).toMatch(where);
  });

  it('names the requests for a sum over a vocabulary that is one bit off', async () => {
    const numerics = [SPOILT['the sum of a row'] as Numerics];
    expect((await differenceOf('requests', { numerics })).what).toMatch(/^request \d+ \(V = \d+\), the .* spoilt\)$/);
  });

  it("names every group that an engine's own exp changes, and no other", async () => {
    const report = await verify({ numerics: [engineNumerics] });
    const differing = report.groups.filter(({ ok }) => !ok).map(({ name }) => name);
    expect(differing).toEqual(['golden', 'exp-log', 'requests', 'model']);
    expect(report.ok).toBe(false);
  });

  it('says which of two numerics differs', async () => {
    const numerics = [exactNumerics, { ...(SPOILT.log as Numerics), name: 'the second' }];
    expect((await differenceOf('exp-log', { numerics })).what).toMatch(/^log of borders.* \(numerics: the second\)$/);
  });

  it('reports an error in the work as a difference', async () => {
    const fail = () => {
      throw new Error('no logarithm');
    };
    const { what, expected, got } = await differenceOf('golden', { numerics: [{ ...exactNumerics, log: fail }] });
    expect(what).toBe('what comes after the start (numerics: exact)');
    expect({ expected, got }).toEqual({ expected: 'no error', got: 'Error: no logarithm' });
  });
});

describe('verify, refused', () => {
  it.each<[string, VerifyOptions, string]>([
    [
      'a group that is not there',
      { groups: ['prose' as GroupName] },
      'verify: `groups` must be some of golden, exp-log, pcg32, requests, model, grammars, bounds, got "prose"',
    ],
    ['no numerics', { numerics: [] }, 'verify: `numerics` must be not empty, got []'],
    [
      'a folder that is not there',
      { files: new URL('absent/', FIXTURES) },
      'verify: `verify/digests.json` must be readable at ',
    ],
    [
      'a file that is no JSON',
      { files: async () => new Uint8Array([104, 105]) },
      'verify: `verify/digests.json` must be JSON, got "hi"',
    ],
  ])('rejects %s', async (_, options, message) => {
    await expect(verify(options)).rejects.toThrow(message);
  });
});
