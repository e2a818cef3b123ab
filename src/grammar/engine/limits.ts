/**
 * How much the engine does for a grammar before it refuses it, counted in its own steps, so that every machine refuses the
 * same. The numbers are those with which hostile grammars ended within a twentieth of a second, and real ones did not meet
 * them.
 */
export const ENGINE_LIMITS = [
  /** Steps of building the lexer: nodes of regular expressions. */
  300_000,
  /** Steps of the lexer for one mask. */
  100_000,
  /** Items of the parser for one mask. */
  20_000,
  /** States of the lexer. */
  20_000,
  /** Symbols of the grammar. */
  100_000,
  /** Items of the parser at one byte. */
  2_000,
] as const;

/** Steps of the search for an end of the text, each a place after which all bytes are tried. */
export const CLOSING_STEPS = 4_000;
