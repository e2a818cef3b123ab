import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { requestRng, sample } from '../../src/spec.js';
import { callCli } from './call-cli.js';
import { runCli } from './run-cli.js';

const LOGITS = [1, 3, 2, 3, -1];
const WORKED = ['--top-k', '3', '--top-p', '0.8', '--seed', '0'];

const WRITERS = {
  f2: (view: DataView, at: number, value: number, little: boolean) =>
    view.setUint16(at, HALVES.get(value) ?? 0, little),
  f4: (view: DataView, at: number, value: number, little: boolean) => view.setFloat32(at, value, little),
  f8: (view: DataView, at: number, value: number, little: boolean) => view.setFloat64(at, value, little),
};

/** As numpy.float16 stores them. */
const HALVES = new Map([
  [1, 0x3c00],
  [3, 0x4200],
  [2, 0x4000],
  [-1, 0xbc00],
]);

/** An .npy file of one row. */
function npy(descr: string, values: readonly number[], shape = `(${values.length},)`, fortran = 'False'): Buffer {
  const header = `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`.padEnd(117, ' ');
  const width = Number(descr.at(-1));
  const data = new DataView(new ArrayBuffer(width * values.length));
  const write = WRITERS[descr.slice(1) as keyof typeof WRITERS] ?? (() => {});
  for (const [i, value] of values.entries()) write(data, width * i, value, descr[0] === '<');
  const magic = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, 118, 0]);
  return Buffer.concat([magic, Buffer.from(`${header}\n`, 'latin1'), Buffer.from(data.buffer)]);
}

const raw = Buffer.from(Float32Array.from(LOGITS).buffer);

describe('lockstep sample', () => {
  const folder = mkdtempSync(join(tmpdir(), 'logits-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    { format: 'a JSON array', input: JSON.stringify(LOGITS) },
    { format: 'an .npy file of float32', input: npy('<f4', LOGITS) },
    { format: 'an .npy file of float64', input: npy('<f8', LOGITS) },
    { format: 'an .npy file of float16 (C3)', input: npy('<f2', LOGITS) },
    { format: 'an .npy file of big-endian float16 (C3)', input: npy('>f2', LOGITS) },
    { format: 'an .npy file of big-endian float32 (C3)', input: npy('>f4', LOGITS) },
    { format: 'an .npy file of big-endian float64 (C3)', input: npy('>f8', LOGITS) },
    { format: 'an .npy file of shape (1, V) (C3)', input: npy('<f4', LOGITS, '(1, 5)') },
    { format: 'an .npy file in Fortran order (C3)', input: npy('<f4', LOGITS, '(1, 5)', 'True') },
    { format: 'one row of a batch as JSON (C3)', input: JSON.stringify([LOGITS]) },
    { format: 'raw float32', input: raw },
  ])('gives the token of the worked example for $format, from standard input and from a file', async ({ input }) => {
    const expected = { id: 3, logprob: -0.9248660042217248, entropy: Math.LN2, seed: '0', draws: 1 };
    const piped = await callCli(['sample', ...WORKED], input);
    expect(piped).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(piped.stdout)).toEqual(expected);
    const file = join(folder, 'logits');
    writeFileSync(file, input);
    expect(JSON.parse((await callCli(['sample', file, ...WORKED])).stdout)).toEqual(expected);
  });

  it('reads a pipe, writes to one, and ends with 0 or 2, as a program', () => {
    const piped = runCli(['sample', ...WORKED], raw);
    expect(piped).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(piped.stdout)).toMatchObject({ id: 3, logprob: -0.9248660042217248 });
    expect(runCli(['sample', '--top-p', '0'], raw)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'lockstep: SamplingParams: `top_p` must be a number in (0, 1], got 0\n',
    });
  });

  it('takes history, prompt, every parameter under both names, and masks', async () => {
    const logits = [1, 3, -Infinity, 3, -1, 2];
    const params = {
      temperature: 1.3,
      top_k: 4,
      top_p: 0.9,
      min_p: 0.01,
      repetition_penalty: 1.2,
      presence_penalty: -0.5,
      frequency_penalty: 0.25,
    };
    const { id, logprob } = sample(logits, params, [1, 1, 3], requestRng(9), [0]);
    const input = JSON.stringify(logits.map((x) => (x === -Infinity ? '-inf' : x)));
    for (const spell of [(name: string) => name, (name: string) => name.replaceAll('_', '-')]) {
      const flags = Object.entries(params).flatMap(([name, value]) => [`--${spell(name)}`, String(value)]);
      const run = await callCli(['sample', ...flags, '--seed', '9', '--history', '1,1,3', '--prompt', '0'], input);
      expect(JSON.parse(run.stdout)).toMatchObject({ id, logprob });
    }
  });

  it.each([
    { writer: 'Python', input: '[1, -Infinity, 3,\n-Infinity]' },
    { writer: 'somebody who quotes them', input: '[1, "-inf", 3, "-Infinity"]' },
  ])('takes masked ids as $writer writes them (C3)', async ({ input }) => {
    const run = await callCli(['sample', '--seed', '0', '--logprobs', '4'], input);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(run.stdout).top_logprobs.map(({ id }: { id: number }) => id)).toEqual([2, 0]);
  });

  it('takes null for a masked id, and says how many there were, as it may have been NaN (C3)', async () => {
    const run = await callCli(['sample', '--seed', '0', '--logprobs', '3'], '[1, null, 3, null]');
    expect(run.stderr).toBe('[logits: null, 2 times, first at [1], is taken as -Infinity]\n');
    expect(JSON.parse(run.stdout).top_logprobs.map(({ id }: { id: number }) => id)).toEqual([2, 0]);
  });

  it('takes a chain of its own, reports the most likely ids, and a seed of 64 bits', async () => {
    const chain = '[{"use":"temperature","temperature":0}]';
    const args = ['sample', '--chain', chain, '--logprobs', '2', '--seed', '18446744073709551615'];
    const run = await callCli(args, JSON.stringify(LOGITS));
    expect(JSON.parse(run.stdout)).toEqual({
      id: 1,
      logprob: -0.9248660042217248,
      entropy: 0,
      top_logprobs: [
        { id: 1, logprob: -0.9248660042217248 },
        { id: 3, logprob: -0.9248660042217248 },
      ],
      seed: '18446744073709551615',
      draws: 0,
    });
  });

  it.each([
    { args: ['--top-p', '0'], says: '`top_p` must be a number in (0, 1], got 0' },
    { args: ['--top-p', 'high'], says: '`top_p` must be a number in (0, 1], got "high"' },
    { args: ['--top-p', '0.5', '--top_p', '0.5'], says: '`top_p` must be given once' },
    { args: ['--top-q', '1'], says: "unknown option '--top-q'" },
    { args: ['--seed', '-1'], says: '`seed` must be an integer in [0, 2^53) or a bigint in [0, 2^64), got -1' },
    { args: ['--seed', '18446744073709551616'], says: '`seed` must be' },
    { args: ['--history', '5'], says: '`history[0]` must be an integer in [0, 5), got 5' },
    { args: ['--prompt', 'x'], says: '`prompt` must be integers >= 0 separated by commas, got "x"' },
    { args: ['--chain', '[{"use":"top-z"}]'], says: '`use` must be one of' },
    { args: ['--chain', 'absent.json'], says: '`chain` must be' },
    { args: ['--format', 'csv'], says: "argument 'csv' is invalid" },
    { args: ['--format', 'npy'], says: '`input` must be an .npy file' },
    { args: ['absent-file'], says: '`file` must be readable, got "absent-file (ENOENT)"' },
  ])('answers $args with one line that names what is wrong, and 2', async ({ args, says }) => {
    const run = await callCli(['sample', ...args], JSON.stringify(LOGITS));
    expect(run.stderr).toContain(says);
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(run).toMatchObject({ status: 2, stdout: '' });
  });

  it.each([
    { why: 'text that is no JSON', input: 'hello', says: 'a JSON array' },
    { why: 'an object', input: '{"a": 1}', says: 'a JSON array' },
    { why: 'an empty array', input: '[]', says: '`logits` must be not empty' },
    { why: 'nothing', input: '', says: 'not empty' },
    { why: 'NaN (C3)', input: '[1, NaN]', says: '`logits[1]` must be a finite number or -Infinity, got NaN' },
    {
      why: 'Infinity (C3)',
      input: '[Infinity]',
      says: '`logits[0]` must be a finite number or -Infinity, got Infinity',
    },
    { why: 'a string in it', input: '[1, "x"]', says: '`logits[1]` must be a number, null or "-Infinity"' },
    { why: 'a matrix', input: '[[1, 2], [3, 4]]', says: '`input` must be one row of logits' },
    { why: 'deep (I1)', input: `[1, {"a": ${'['.repeat(9000)}${']'.repeat(9000)}}]`, says: '`logits[1]` must be' },
    { why: 'only masks', input: '["-inf", "-inf"]', says: '`logits` must be finite for at least one id' },
    {
      why: 'an .npy matrix',
      input: npy('<f4', [...LOGITS, 0], '(2, 3)'),
      says: '`shape` must be that of one row, (V,)',
    },
    { why: 'an .npy file of integers', input: npy('<i8', LOGITS), says: '`descr` must be one of <f2, <f4, <f8, >f2' },
    { why: 'an .npy file of structures', input: npy("', [('a', '<f4')], '4", LOGITS), says: '`descr`' },
    { why: 'an .npy file cut short', input: npy('<f4', LOGITS).subarray(0, 140), says: '`input`' },
    { why: 'raw float32 cut short', input: raw.subarray(0, 18), says: 'raw float32' },
  ])('refuses logits that are $why', async ({ input, says }) => {
    const run = await callCli(['sample'], input);
    expect(run.stderr).toContain(says);
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(run).toMatchObject({ status: 2, stdout: '' });
  });
});

describe('lockstep trace', () => {
  it('prints the numbers of the worked example', async () => {
    const { stdout, status } = await callCli(['trace', ...WORKED], JSON.stringify(LOGITS));
    expect(status).toBe(0);
    const lines = stdout.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
    for (const expected of [
      'widen V = 5 l [1, 3, 2, 3, -1]',
      'logprob M = 3, Z = 2.52153 over all ids id 3: -0.92487',
      'order (3, 1) (3, 3) (2, 2) (1, 0) (-1, 4)',
      'top-k k = 3; keeps 3 of 5 {1, 3, 2}',
      'q 0.42232, 0.42232, 0.15536 s 0.42232, 0.84464, 1',
      'top-p p = 0.8; keeps 2 of 3 {1, 3}',
      'softmax over 2 kept q 0.5, 0.5',
      'draw one uniform u = 0.80209',
      'inverse CDF c = 0.5 at 1, c = 1 at 3 id 3, logprob -0.92487',
    ]) {
      expect(lines).toContain(expected);
    }
  });

  it('says that a greedy token was not drawn', async () => {
    const { stdout } = await callCli(
      ['trace', '--temperature', '0', '--repetition-penalty', '2', '--history', '1'],
      '[1, 3, 2]',
    );
    expect(stdout).toContain('no draw');
    expect(stdout).toContain('id 2, logprob');
    expect(stdout).toContain('changes 1 logits');
    expect(stdout).toContain('l [1, 1.5, 2]');
  });

  it('gives the whole as JSON', async () => {
    const trace = JSON.parse((await callCli(['trace', '--json', ...WORKED], JSON.stringify(LOGITS))).stdout);
    expect(trace.token).toEqual({ id: 3, logprob: -0.9248660042217248 });
    expect(trace.steps).toHaveLength(6);
    expect(trace.draw.walk.map(({ id }: { id: number }) => id)).toEqual([1, 3]);
  });

  describe('of a large vocabulary (C4)', () => {
    const V = 32_000;
    const logits = JSON.stringify(Array.from({ length: V }, (_, id) => ((id * 7919) % V) / 3000));
    const args = ['trace', '--top-k', '1000', '--top-p', '0.9', '--seed', '3'];

    it('keeps to lines of 120 characters where no terminal is wider', async () => {
      const { stdout, status } = await callCli(args, logits);
      expect(status).toBe(0);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
      expect(stdout).toContain('(32000)');
    });

    it('cuts the lists of JSON, and says which were longer', async () => {
      const { stdout } = await callCli([...args, '--json', '--rows', '3'], logits);
      expect(stdout.length).toBeLessThan(6000);
      const trace = JSON.parse(stdout);
      expect(trace.start).toHaveLength(3);
      expect(trace.cut.shown).toBe(3);
      expect(trace.cut.lists).toContainEqual({ list: 'start', of: V });
      expect(trace.cut.lists).toContainEqual({ list: 'steps[3].after', of: 1000 });
      expect(trace.draw.walk.at(-1).id).toBe(trace.token.id);
    });

    it('gives everything when asked for all, through a pipe that takes it in parts', () => {
      const trace = JSON.parse(runCli([...args, '--json', '--all'], logits).stdout);
      expect(trace.start).toHaveLength(V);
      expect(trace).not.toHaveProperty('cut');
    });

    it.each([
      ['--rows', '0'],
      ['--rows', 'x'],
      ['--rows', '3', '--all'],
    ])('refuses %s %s %s', async (...flags) => {
      const run = await callCli(['trace', ...flags], '[1, 2]');
      expect(run.stderr).toMatch(/^lockstep: `rows` must be [^\n]*\n$/);
      expect(run).toMatchObject({ status: 2, stdout: '' });
    });
  });
});
