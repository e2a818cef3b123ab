/**
 * The door `lockstep/laws`: what every processor and every model must obey, for those of your own.
 */
export { LawError } from './law-error.js';
export { type ModelLawsOptions, type ModelLawsReport, modelLaws } from './models/model-laws.js';
export { type MakeProcessor, type ProcessorLawsOptions, processorLaws } from './processors/processor-laws.js';
export type { Trait } from './processors/traits.js';
