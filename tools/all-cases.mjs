/**
 * The tests with all their random cases, of which `npm test` tries a part: see test/support/cases.ts.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Runs them; the code that they end with. */
export function runAllCases() {
  const env = { LAW_CASES: '300', ...process.env, LONG_RUN: '1' };
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=./tools/count-reporter.mjs'];
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
}
