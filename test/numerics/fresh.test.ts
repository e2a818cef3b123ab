/**
 * A fresh million of inputs each run, against Python's `math` (glibc with FMA on Linux). FRESH_PAIRS says how many
 * (default 1000000). Where `python3` is missing there is nothing to compare with, and the cases are reported as skipped.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exp } from '../../src/numerics/exp.js';
import { log } from '../../src/numerics/log.js';
import { freshSeed } from '../../src/random/seed.js';

const PAIRS = Number(process.env.FRESH_PAIRS ?? 1_000_000);
const script = fileURLToPath(new URL('../../fixtures/vectors/fresh.py', import.meta.url));
const missing = spawnSync('python3', ['--version']).status !== 0;
const reason = missing ? ' (skipped: no python3 on this machine)' : '';

describe.skipIf(missing)(`fresh inputs against Python${reason}`, () => {
  it.each([
    ['exp', exp],
    ['log', log],
  ] as const)(`%s: 0 differences in ${PAIRS}${reason}`, (name, f) => {
    const seed = freshSeed();
    const pairs = fresh(name, seed);
    expect(pairs.byteLength).toBe(16 * PAIRS);
    expect({ seed, differences: differences(pairs, f) }).toEqual({ seed, differences: [] });
  });
});

function fresh(name: string, seed: number): DataView {
  const run = spawnSync('python3', [script, name, String(seed), String(PAIRS)], { maxBuffer: 16 * PAIRS + 65_536 });
  expect({ status: run.status, stderr: String(run.stderr) }).toEqual({ status: 0, stderr: '' });
  return new DataView(run.stdout.buffer, run.stdout.byteOffset, run.stdout.byteLength);
}

/** The first differences, as text, at most ten. */
function differences(pairs: DataView, f: (x: number) => number): string[] {
  const found: string[] = [];
  for (let at = 0; at < pairs.byteLength && found.length < 10; at += 16) {
    const x = pairs.getFloat64(at, true);
    const expected = pairs.getFloat64(at + 8, true);
    const got = f(x);
    if (!Object.is(got, expected)) found.push(`${x}: ${got}, not ${expected}`);
  }
  return found;
}
