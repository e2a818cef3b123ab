/**
 * The tests once more on the plain TypeScript passes, as on an engine without WebAssembly. What needs the kernel itself,
 * grammars and the `Response` of Node, which are WebAssembly themselves, or another process, is left to the ordinary run.
 */
import { defineConfig, mergeConfig } from 'vitest/config';
import config from './vitest.config.js';

const FOLDERS = ['spec', 'oracle', 'laws', 'cases', 'processors', 'chain', 'sampler', 'container', 'decode'];

const plain = mergeConfig(config, defineConfig({ test: { setupFiles: [] } }));
plain.test = {
  ...plain.test,
  include: FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`),
  exclude: ['test/cases/grammar.test.ts', 'test/decode/readable-stream.test.ts'],
  setupFiles: ['test/support/no-webassembly.ts', 'test/support/setup.ts'],
};

export default plain;
