/**
 * `lockstep/random`: PCG32, and the seeds of its streams.
 */
export { NormalSource } from './normal.js';
export { Pcg32, type Pcg32State, type UniformSource } from './pcg32.js';
export { childSeed, freshSeed, mix64, PURPOSES, type Purpose, type Seed } from './seed.js';
