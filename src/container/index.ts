/**
 * `lockstep/container`: how a sampler is put together from replaceable parts, with InversifyJS.
 */
export { type ProcessorFactory, processorToken, TOKENS, type UniformFactory } from '../request/tokens.js';
export { createContainer } from './create-container.js';
export { processorModule } from './modules.js';
