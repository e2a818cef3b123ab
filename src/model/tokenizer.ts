/**
 * The interface of a tokenizer, which stands beside the contract of processors: they may be given one.
 */
export type { Tokenizer } from '../../processors/tokenizer.js';
