/**
 * What the parts of a schema's translation share: named rules, and the translation of a schema within a schema.
 */
import type { CodePoints } from './code-points.js';
import { type Node, optional, sequence, text } from './node.js';

/** A space may follow, as Python's json.dumps writes it. */
export const COLON: Node = sequence(text(':'), optional(text(' ')));
export const COMMA: Node = sequence(text(','), optional(text(' ')));

export interface Builder {
  /** The values that `schema` describes. */
  schema(schema: unknown, path: string): Node;
  /** Gives `node` a name, under which what follows it may be shared. */
  rule(prefix: string, node: Node): Node;
  /** Gives `node` a rule that is called, for what is repeated many times. */
  called(prefix: string, node: Node): Node;
  /** The characters that stand for themselves in a string, and any run of them. */
  readonly plain: CodePoints;
  readonly plainRun: Node;
}
