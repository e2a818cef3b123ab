/**
 * Constrained decoding by xgrammar: JSON schemas, regular expressions and EBNF. The entry point `lockstep/xgrammar`; it
 * needs the optional peer @mlc-ai/web-xgrammar.
 */
export { Grammar } from './grammar.js';
export { GrammarConstraint } from './grammar-constraint.js';
export { type GrammarOptions, grammarModule } from './grammar-module.js';
export { createGrammars, Grammars, type GrammarsOptions } from './grammars.js';
export type { XGrammarModule } from './native.js';
