/**
 * Grammars: texts of a model that fit a JSON schema or a grammar.
 */
export { Grammar } from './grammar.js';
export { GrammarConstraint } from './grammar-constraint.js';
export { type GrammarOptions, grammarModule } from './grammar-module.js';
export { createGrammars, Grammars, type GrammarsOptions } from './grammars.js';
