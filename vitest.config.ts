import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    // the files of a worker share its modules: to import the library anew for each took a third of the whole time
    isolate: false,
    // Vitest leaves one processor free for itself; of two that is too much
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: process.env.LONG_RUN === undefined ? 120_000 : 900_000, // all random cases take minutes in some tests
    hookTimeout: 120_000,
  },
});
