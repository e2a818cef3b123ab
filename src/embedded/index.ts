/**
 * `lockstep/embedded`: a small Llama-style model with its tokenizer, the same to the bit in every engine. This door alone
 * brings the files of the model into a bundle.
 */
export { EmbeddedModel } from './embedded-model.js';
export { EmbeddedTokenizer } from './embedded-tokenizer.js';
export { type Embedded, type EmbeddedFiles, loadEmbedded } from './load-embedded.js';
export { Safetensors } from './safetensors.js';
