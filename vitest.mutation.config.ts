/**
 * The tests as Stryker runs them: those that reach the core, with fewer random requests, without the longest cases and
 * nothing that starts another process.
 */
import { defineConfig } from 'vitest/config';

const ALL = 'spec,oracle,processors,params,candidates,chain,sampler,container,random,numerics,laws,cases';
/** MUTATION_FOLDERS names fewer, to look at one part quickly. */
const FOLDERS = (process.env.MUTATION_FOLDERS ?? ALL).split(',');

/** Cases that take long and say nothing that a smaller one beside them does not say. */
const SLOW = [
  'chi.square',
  'every difference of a float32',
  'over several tokens',
  'V = 50,257',
  'V 301 to 20,000',
  'V = (1|64|1500|2047|5000|8191|8192|8193|20000)$',
].join('|');

export default defineConfig({
  test: {
    include: FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: ['test/numerics/fresh.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    testNamePattern: `^(?!.*(${SLOW})).*$`,
    env: { ORACLE_REQUESTS: '80', FC_RUNS: '10', LAW_CASES: '20' },
  },
});
