/**
 * Objects: their properties in the order in which the schema lists them, each at most once.
 */

import { complement, intersect, union } from './code-points.js';
import { type Builder, COLON, COMMA } from './json-builder.js';
import { at, checkSchema, refusal, type Schema } from './json-keywords.js';
import { choice, EMPTY, type Node, optional, repeat, sequence, set, text } from './node.js';

interface Property {
  /** The name, the colon and the value. */
  readonly node: Node;
  readonly required: boolean;
}

export function objectNode(schema: Schema, path: string, builder: Builder): Node {
  const { properties = {}, required = [], additionalProperties = false } = schema;
  checkSchema(properties, at(path, 'properties'));
  checkRequired(required, properties, at(path, 'required'));
  const listed = Object.entries(properties).map(([name, value]) => ({
    node: sequence(text(JSON.stringify(name)), COLON, builder.schema(value, at(at(path, 'properties'), name))),
    required: required.includes(name),
  }));
  if (additionalProperties === false) return braces(members(listed, EMPTY, EMPTY, builder));
  const value = builder.schema(additionalProperties, at(path, 'additionalProperties'));
  const other = builder.rule('other', sequence(otherName(Object.keys(properties), builder), COLON, value));
  const rest = builder.rule('others', repeat(sequence(COMMA, other), 0, Infinity));
  return braces(members(listed, rest, optional(sequence(other, rest)), builder));
}

/**
 * What may follow when properties from `i` on are left: `after` where others stand before, `first` where none does.
 * Built from the end; a rule each, so that the grammar grows with the properties and not with their subsets.
 */
function members(listed: readonly Property[], restAfter: Node, restFirst: Node, builder: Builder): Node {
  let [after, first] = [restAfter, restFirst];
  for (const { node, required } of [...listed].reverse()) {
    const property = builder.rule('property', node);
    first = builder.rule('first', required ? sequence(property, after) : choice(sequence(property, after), first));
    const next = sequence(COMMA, property);
    after = builder.rule('after', sequence(required ? next : optional(next), after));
  }
  return first;
}

function braces(content: Node): Node {
  return sequence(text('{'), content, text('}'));
}

function checkRequired(required: unknown, properties: Schema, path: string): asserts required is string[] {
  const names = Array.isArray(required) ? required : [required];
  const unlisted = names.find((name) => typeof name !== 'string' || !Object.hasOwn(properties, name));
  if (Array.isArray(required) && unlisted === undefined) return;
  throw refusal(path, 'an array of names that `properties` lists', unlisted);
}

/** A name, written without escapes, that is none of `names`: a walk through the tree of their characters. */
function otherName(names: readonly string[], builder: Builder): Node {
  const plain = names.filter((name) => JSON.stringify(name) === `"${name}"`).map((name) => [...name]);
  return sequence(text('"'), behind(plain, builder), text('"'));
}

/** What may follow where `tails` are what is left of the names that begin like this. */
function behind(tails: readonly (readonly string[])[], builder: Builder): Node {
  const heads = [...new Set(tails.filter((tail) => tail.length > 0).map((tail) => tail[0] as string))];
  const known = union(heads.map((head) => [head.codePointAt(0) as number, head.codePointAt(0) as number]));
  const free = sequence(set(intersect(complement(known), builder.plain)), builder.plainRun);
  const followed = heads.map((head) => {
    const rest = tails.filter((tail) => tail[0] === head).map((tail) => tail.slice(1));
    return sequence(text(head), behind(rest, builder));
  });
  const isName = tails.some((tail) => tail.length === 0);
  return choice(...(isName ? [] : [EMPTY]), free, ...followed);
}
