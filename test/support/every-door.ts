/**
 * Everything that the doors of the package export, but for those of grammars and workers: for tests that go over all of it.
 */
export * from '../../processors/index.js';
export * from '../../src/container/index.js';
export * from '../../src/core.js';
export * from '../../src/decode/index.js';
export * from '../../src/embedded/index.js';
export * from '../../src/index.js';
export * from '../../src/laws/index.js';
export * from '../../src/numerics/index.js';
export * from '../../src/profiles/index.js';
export * from '../../src/random/index.js';
export * from '../../src/schemas/index.js';
export * from '../../src/spec.js';
export * from '../../src/verify/index.js';
