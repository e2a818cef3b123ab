/**
 * The tests as Stryker runs them: those that reach the core, with fewer random cases, in one world of modules, and nothing
 * that starts another process or a grammar engine.
 */
import { defineConfig } from 'vitest/config';
import { NearestFirst } from './tools/mutation/order.js';

const ALL =
  'spec,oracle,processors,params,candidates,chain,sampler,container,random,numerics,laws,cases,decode,hand-off';
/** MUTATION_FOLDERS names fewer, to look at one part quickly. */
const FOLDERS = (process.env.MUTATION_FOLDERS ?? ALL).split(',');

export default defineConfig({
  test: {
    include: FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: [
      'test/numerics/fresh.test.ts',
      'test/numerics/without-wasm.test.ts', // loads modules anew, which makes what runs at loading look covered by it alone
      'test/cases/grammar.test.ts',
      'test/decode/speculation/embedded.test.ts', // slow: a model runs in instrumented code
      'test/hand-off/hand-off.test.ts', // starts another process
    ],
    setupFiles: ['test/setup.ts', 'tools/mutation/setup.ts'],
    isolate: false,
    sequence: { sequencer: NearestFirst },
    testTimeout: 120_000,
    env: { ORACLE_REQUESTS: '80', FC_RUNS: '10', LAW_CASES: '20' },
  },
});
