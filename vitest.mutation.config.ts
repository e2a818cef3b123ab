/**
 * The tests as Stryker runs them: those that reach the core, with fewer random cases, in one world of modules, and nothing
 * that starts another process or a grammar engine.
 */
import { defineConfig } from 'vitest/config';
import { NearestFirst } from './tools/mutation/order.js';

const ALL =
  'spec,oracle,processors,params,candidates,chain,sampler,container,random,numerics,laws,cases,decode,hand-off,fuzz';
/** MUTATION_FOLDERS names fewer, to look at one part quickly. */
const FOLDERS = (process.env.MUTATION_FOLDERS ?? ALL).split(',');

/** In place of the worker threads in the table of the fuzz: they run the built package, which Stryker does not change. */
const NO_POOL = new URL('tools/mutation/no-pool.ts', import.meta.url).pathname;

export default defineConfig({
  test: {
    include: FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: [
      'test/numerics/fresh.test.ts',
      'test/numerics/without-wasm.test.ts', // loads modules anew, which makes what runs at loading look covered by it alone
      'test/cases/grammar.test.ts',
      'test/decode/speculation/embedded.test.ts', // slow: a model runs in instrumented code
      'test/hand-off/hand-off.test.ts', // starts another process
      'test/fuzz/coverage.test.ts', // of the table, which has no worker threads here
    ],
    alias: [{ find: /^\.\/pool\.js$/, replacement: NO_POOL }],
    setupFiles: ['test/support/setup.ts', 'tools/mutation/setup.ts'],
    isolate: false,
    sequence: { sequencer: NearestFirst },
    testTimeout: 120_000,
    env: { ORACLE_REQUESTS: '80', FC_RUNS: '10', LAW_CASES: '20' },
  },
});
