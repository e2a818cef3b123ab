/**
 * Grammars: texts of a model that fit a JSON schema or a grammar. The entry point `lockstep/grammar`.
 */
export { Grammar } from './grammar.js';
export { type ConstraintOptions, GrammarConstraint, type GrammarReport } from './grammar-constraint.js';
export { GrammarDrafter } from './grammar-drafter.js';
export type { GrammarOptions } from './grammar-step.js';
export { createGrammars, Grammars, type GrammarsOptions } from './grammars.js';
export type { GrammarWarning } from './language/refusal.js';
export type { SchemaOptions, WhiteSpace } from './language/schema/prepare-schema.js';
export type { ToolDefinition } from './language/schema/tools.js';
export type { JsonOptions } from './schema-options.js';
