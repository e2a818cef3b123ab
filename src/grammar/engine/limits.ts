/**
 * How much the engine does for a grammar before it refuses it, counted in its own steps, so that every machine refuses the
 * same. With these numbers hostile grammars end within half a second, and one real schema of ten thousand is refused.
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

/**
 * Steps of compiling a grammar and of every other call: pieces of memory that the engine asks for. They bound what its own
 * limits leave out. They take two to three tenths of a second, at V = 128,256 up to half a second; of 9,900 real schemas one
 * takes more, and no other 900,000.
 */
export const MOST_STEPS = 1_000_000;
/** Of what is the user's own, such as building the vocabulary. */
export const ANY_STEPS = 0xffff_ffff;

/** Steps of the search for an end of the text, each a place after which all bytes are tried. */
export const CLOSING_STEPS = 4_000;
/** The same for all the tokens of one mask together. */
export const CLOSING_MASK_STEPS = 10_000;
