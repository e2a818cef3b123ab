/**
 * `lockstep/schemas`: JSON Schemas (draft 2020-12) of processors and of chains as data, for editors and forms.
 */
export { CHAIN_VERSION, chainJsonSchema, processorJsonSchema } from './chain-schema.js';
export type { JsonSchema } from './json-schema.js';
