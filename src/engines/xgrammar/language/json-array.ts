/**
 * Arrays: the first elements by `prefixItems`, the others by `items`.
 */
import { type Builder, COMMA } from './json-builder.js';
import { at, checkCounts, count, refusal, type Schema } from './json-keywords.js';
import { choice, EMPTY, type Node, optional, repeat, sequence, text } from './node.js';

export function arrayNode(schema: Schema, path: string, builder: Builder): Node {
  const { prefixItems = [], items = true } = schema;
  if (!Array.isArray(prefixItems)) throw refusal(at(path, 'prefixItems'), 'an array of schemas', prefixItems);
  const prefix = prefixItems.map((item, i) => builder.schema(item, at(at(path, 'prefixItems'), i)));
  const least = count(schema, 'minItems', path, 0);
  const most = Math.min(count(schema, 'maxItems', path, Infinity), items === false ? prefix.length : Infinity);
  checkCounts(least, most, 'minItems', path);
  const rest = items === false ? EMPTY : item(builder.schema(items, at(path, 'items')), most, builder);
  return sequence(text('['), elements(prefix, rest, least, most, builder), text(']'));
}

/** Where there may be several, and a certain number of them, each is a call: else the grammar had them all one by one. */
function item(node: Node, most: number, builder: Builder): Node {
  return most > 2 && most < Infinity ? builder.called('item', node) : node;
}

/** From `least` to `most` elements, those of the prefix first. */
function elements(prefix: readonly Node[], rest: Node, least: number, most: number, builder: Builder): Node {
  const [head, ...tail] = prefix;
  if (most === 0) return EMPTY;
  if (head === undefined) {
    const some = sequence(rest, repeat(sequence(COMMA, rest), Math.max(0, least - 1), most - 1));
    return least === 0 ? optional(some) : some;
  }
  const some = sequence(head, followers(tail, rest, least - 1, most - 1, builder));
  return least > 0 ? some : choice(EMPTY, some);
}

/** What follows an element: each further one behind a comma. */
function followers(prefix: readonly Node[], rest: Node, least: number, most: number, builder: Builder): Node {
  const [head, ...tail] = prefix;
  if (most === 0) return EMPTY;
  if (head === undefined) return repeat(sequence(COMMA, rest), Math.max(0, least), most);
  const some = sequence(COMMA, head, followers(tail, rest, least - 1, most - 1, builder));
  return least > 0 ? some : choice(EMPTY, some);
}
