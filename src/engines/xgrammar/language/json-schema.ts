/**
 * JSON schemas (draft 2020-12) as grammars: every text of the grammar is JSON that the schema accepts.
 *
 * The other way round it is narrower: an object has its properties in the schema's order and no others unless
 * `additionalProperties` says so; numbers have bounded digits; a string with bounds or a pattern has each character in its
 * shortest form; there is no white space but a space behind a colon or a comma.
 * A keyword that a grammar cannot say, or not without a type beside it, is refused and never ignored.
 * xgrammar's own translation is not used: it ignores keywords, and in 0.1.27 lets through what the schema forbids.
 */

import { arrayNode } from './json-array.js';
import { integerNode, numberNode } from './json-bounds.js';
import { type Builder, COLON, COMMA } from './json-builder.js';
import { areDisjoint } from './json-disjoint.js';
import { FORMATS } from './json-formats.js';
import {
  at,
  checkCounts,
  checkOnly,
  checkSchema,
  constraining,
  count,
  refusal,
  type Schema,
  TYPE_KEYWORDS,
  type TypeName,
} from './json-keywords.js';
import { NUMBER } from './json-number.js';
import { objectNode } from './json-object.js';
import { CHARACTER, matching, PLAIN, quoted, SHORT_CHARACTER } from './json-string.js';
import { choice, type Node, optional, ROOT, type Rules, repeat, rule, sequence, set, text } from './node.js';
import { printEbnf } from './print-ebnf.js';
import { productiveRules } from './productive.js';
import { parseRegex } from './regex-parser.js';

const NAME = 'json_schema';
const NULL = text('null');
const BOOLEAN = choice(text('true'), text('false'));

/** The EBNF of `schema`. Throws InvalidValueError, naming the place, for what is no schema or cannot be translated. */
export function schemaToEbnf(schema: unknown): string {
  const rules = productiveRules(new SchemaTranslator(schema).translate());
  if (rules !== undefined) return printEbnf(rules);
  throw refusal(NAME, 'a schema that some value fits', schema);
}

class SchemaTranslator implements Builder {
  readonly plain = PLAIN;
  readonly #root: unknown;
  readonly #rules = new Map<string, Node>();
  readonly #called = new Set<string>();
  /** The rule of each JSON pointer that a `$ref` named. */
  readonly #references = new Map<string, Node>();
  #any: Node | undefined;
  #run: Node | undefined;
  #plainRun: Node | undefined;

  constructor(root: unknown) {
    this.#root = root;
    this.#rules.set(ROOT, text('')); // the first rule of the grammar; its place is kept
  }

  translate(): Rules {
    this.#rules.set(ROOT, this.schema(this.#root, NAME));
    return { rules: this.#rules, called: this.#called };
  }

  get run(): Node {
    this.#run ??= this.rule('run', repeat(CHARACTER, 0, Infinity));
    return this.#run;
  }

  get plainRun(): Node {
    this.#plainRun ??= this.rule('plain', repeat(set(PLAIN), 0, Infinity));
    return this.#plainRun;
  }

  get any(): Node {
    if (this.#any === undefined) {
      this.#any = rule('any');
      this.#called.add('any');
      const string = quoted(this.run);
      const list = sequence(this.#any, repeat(sequence(COMMA, this.#any), 0, Infinity));
      const member = this.rule('member', sequence(string, COLON, this.#any));
      const members = sequence(member, repeat(sequence(COMMA, member), 0, Infinity));
      const array = sequence(text('['), optional(list), text(']'));
      const object = sequence(text('{'), optional(members), text('}'));
      this.#rules.set('any', choice(NULL, BOOLEAN, NUMBER, string, array, object));
    }
    return this.#any;
  }

  rule(prefix: string, node: Node): Node {
    const name = `${prefix}${this.#rules.size}`;
    this.#rules.set(name, node);
    return rule(name);
  }

  called(prefix: string, node: Node): Node {
    const name = `${prefix}${this.#rules.size}`;
    this.#rules.set(name, node);
    this.#called.add(name);
    return rule(name);
  }

  schema(schema: unknown, path: string): Node {
    if (schema === true) return this.any;
    if (schema === false) throw refusal(path, 'a schema that some value fits', schema);
    checkSchema(schema, path);
    const [first] = constraining(schema);
    if (first === undefined) return this.any;
    if ('const' in schema || 'enum' in schema) return constantsNode(schema, path);
    const combine = COMBINING.find((key) => key in schema);
    if (combine !== undefined) return this.#combined(schema, combine, path);
    if (schema.type === undefined) throw refusal(at(path, 'type'), `present beside \`${first}\``, undefined);
    return this.#typed(schema, path);
  }

  #combined(schema: Schema, key: (typeof COMBINING)[number], path: string): Node {
    checkOnly(schema, [key], path);
    const value = schema[key];
    const place = at(path, key);
    if (key === '$ref') return this.#reference(value, place);
    const isArray = Array.isArray(value) && value.length > 0;
    if (!isArray) throw refusal(place, 'a non-empty array of schemas', value);
    if (key === 'allOf' && value.length > 1) throw refusal(place, 'an array of one schema', value);
    if (key === 'oneOf') this.#checkDisjoint(value, place);
    return choice(...value.map((option, i) => this.schema(option, at(place, i))));
  }

  #checkDisjoint(schemas: readonly unknown[], path: string): void {
    const resolve = (schema: unknown): unknown => {
      const reference = (schema as Schema | null)?.$ref;
      return typeof reference === 'string' ? this.#resolve(reference, path) : schema;
    };
    const clash = schemas.findIndex((a, i) => schemas.slice(0, i).some((b) => !areDisjoint(a, b, resolve)));
    if (clash < 0) return;
    const domain = 'plainly different from those before it (or `anyOf` is meant)';
    throw refusal(at(path, clash), domain, schemas[clash]);
  }

  #reference(reference: unknown, path: string): Node {
    if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) {
      throw refusal(path, 'a reference within the schema: # or #/…', reference);
    }
    const known = this.#references.get(reference);
    if (known !== undefined) return known;
    const target = this.#resolve(reference, path);
    const name = `ref${this.#rules.size}`;
    this.#called.add(name);
    this.#rules.set(name, text('')); // its place is kept, as it may name itself
    this.#references.set(reference, rule(name));
    this.#rules.set(name, this.schema(target, `${NAME}${reference}`));
    return rule(name);
  }

  #resolve(reference: string, path: string): unknown {
    let value = this.#root;
    for (const part of reference.split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
        throw refusal(path, 'a reference to a part of the schema', reference);
      }
      value = (value as Schema)[key];
    }
    return value;
  }

  #typed(schema: Schema, path: string): Node {
    const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
    const isKnown = (type: unknown): type is TypeName => typeof type === 'string' && Object.hasOwn(TYPE_KEYWORDS, type);
    if (types.length === 0 || !types.every(isKnown)) {
      throw refusal(at(path, 'type'), `one of ${Object.keys(TYPE_KEYWORDS).join(', ')}, or several`, schema.type);
    }
    checkOnly(schema, ['type', ...types.flatMap((type) => TYPE_KEYWORDS[type])], path);
    return choice(...types.map((type) => this.#ofType(type, schema, path)));
  }

  #ofType(type: TypeName, schema: Schema, path: string): Node {
    switch (type) {
      case 'null':
        return NULL;
      case 'boolean':
        return BOOLEAN;
      case 'integer':
        return integerNode(schema, path);
      case 'number':
        return numberNode(schema, path);
      case 'string':
        return this.#string(schema, path);
      case 'array':
        return arrayNode(schema, path, this);
      case 'object':
        return objectNode(schema, path, this);
    }
  }

  #string(schema: Schema, path: string): Node {
    const given = TYPE_KEYWORDS.string.filter((key) => schema[key] !== undefined);
    const alone = given.find((key) => key === 'pattern' || key === 'format');
    if (alone === undefined) return this.#sized(schema, path);
    const other = given.find((key) => key !== alone);
    if (other !== undefined) throw refusal(at(path, other), `absent beside \`${alone}\``, schema[other]);
    const place = at(path, alone);
    if (alone === 'pattern') return matching(parseRegex(schema.pattern as string, place), this.run);
    const pattern = FORMATS[schema.format as string];
    if (pattern === undefined) throw refusal(place, `one of ${Object.keys(FORMATS).join(', ')}`, schema.format);
    return matching(parseRegex(pattern, place), this.run);
  }

  #sized(schema: Schema, path: string): Node {
    const least = count(schema, 'minLength', path, 0);
    const most = count(schema, 'maxLength', path, Infinity);
    checkCounts(least, most, 'minLength', path);
    if (least === 0 && most === Infinity) return quoted(this.run);
    return quoted(repeat(SHORT_CHARACTER, least, most));
  }
}

const COMBINING = ['$ref', 'anyOf', 'oneOf', 'allOf'] as const;

/** The values that `const` or `enum` lists, those of them that `type` admits. */
function constantsNode(schema: Schema, path: string): Node {
  const key = 'const' in schema ? 'const' : 'enum';
  checkOnly(schema, [key, 'type'], path);
  const values = key === 'const' ? [schema.const] : schema.enum;
  if (!Array.isArray(values)) throw refusal(at(path, key), 'an array of values', values);
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  const fitting = values.filter((value) => types?.some((type) => isOfType(value, type)) ?? true);
  if (fitting.length === 0) throw refusal(at(path, key), 'a value of the type beside it', values);
  return choice(...fitting.map((value) => text(JSON.stringify(value))));
}

function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (typeof value === 'number') return type === 'number' || (type === 'integer' && Number.isInteger(value));
  return typeof value === type;
}
