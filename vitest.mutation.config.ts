/**
 * The tests as Stryker runs them: those that reach the core, with fewer random requests, without the two longest cases
 * and nothing that starts another process.
 */
import { defineConfig } from 'vitest/config';

const ALL = 'spec,oracle,processors,params,candidates,chain,sampler,container,random,numerics,laws,cases';
/** MUTATION_FOLDERS names fewer, to look at one part quickly. */
const FOLDERS = (process.env.MUTATION_FOLDERS ?? ALL).split(',');

export default defineConfig({
  test: {
    include: FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: ['test/numerics/fresh.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    testNamePattern: '^(?!.*(V = 50,257|chi.square)).*$',
    env: { ORACLE_REQUESTS: '160', FC_RUNS: '25', LAW_CASES: '20' },
  },
});
