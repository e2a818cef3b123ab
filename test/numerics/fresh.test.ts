/**
 * A fresh million of inputs each run, against Python's `math` (glibc with FMA on Linux). FRESH_PAIRS says how many
 * (default 1000000; a fifth as many for log2 and pow, which no loop over a vocabulary needs). Where `python3` is missing
 * there is nothing to compare with, and the cases are reported as skipped.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exp } from '../../src/numerics/exp.js';
import { log } from '../../src/numerics/log.js';
import { log2 } from '../../src/numerics/log2.js';
import { pow } from '../../src/numerics/pow.js';
import { freshSeed } from '../../src/random/seed.js';

const PAIRS = Number(process.env.FRESH_PAIRS ?? 1_000_000);
const OTHERS = Math.ceil(PAIRS / 5);
const script = fileURLToPath(new URL('../../fixtures/vectors/fresh.py', import.meta.url));
const missing = spawnSync('python3', ['--version']).status !== 0;
const reason = missing ? ' (skipped: no python3 on this machine)' : '';

describe.skipIf(missing)(`fresh inputs against Python${reason}`, () => {
  it.each([
    ['exp', exp, PAIRS],
    ['log', log, PAIRS],
    ['log2', log2, OTHERS],
    ['pow', pow, OTHERS],
  ] as const)(`%s: 0 differences in as many as asked for${reason}`, (name, f, count) => {
    const seed = freshSeed();
    const values = fresh(name, seed, count);
    expect(values.byteLength).toBe(8 * (f.length + 1) * count);
    expect({ seed, differences: differences(values, f) }).toEqual({ seed, differences: [] });
  });
});

function fresh(name: string, seed: number, count: number): DataView {
  const run = spawnSync('python3', [script, name, String(seed), String(count)], { maxBuffer: 24 * count + 65_536 });
  expect({ status: run.status, stderr: String(run.stderr) }).toEqual({ status: 0, stderr: '' });
  return new DataView(run.stdout.buffer, run.stdout.byteOffset, run.stdout.byteLength);
}

/** The first differences, as text, at most ten. */
function differences(values: DataView, f: (x: number, y: number) => number): string[] {
  const found: string[] = [];
  const size = 8 * (f.length + 1);
  for (let at = 0; at < values.byteLength && found.length < 10; at += size) {
    const x = values.getFloat64(at, true);
    const y = values.getFloat64(at + 8, true);
    const expected = values.getFloat64(at + size - 8, true);
    const got = f(x, y);
    if (!Object.is(got, expected)) found.push(`${f.length === 2 ? `${x}, ${y}` : x}: ${got}, not ${expected}`);
  }
  return found;
}
