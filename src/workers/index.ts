/**
 * `lockstep/workers`: a batch on worker threads, for Node, Bun and Deno.
 */
export { type PoolRequestOptions, SamplerPool, type SamplerPoolOptions } from './sampler-pool.js';
