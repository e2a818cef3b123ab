/**
 * `lockstep/container`: how a sampler is put together from replaceable parts, with InversifyJS.
 */
export type { Injector } from '../chain/inject.js';
export type { ProcessorEntry } from '../chain/registry.js';
export { PARTS, type ProcessorFactory, processorToken, type UniformFactory } from '../request/tokens.js';
export { createContainer } from './create-container.js';
export { grammarModule } from './grammar-module.js';
export { processorModule } from './modules.js';
