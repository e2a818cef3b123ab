/**
 * JSON schemas as the engine is to read them: what a user of JavaScript means by them, and nothing that the engine would
 * pass over in silence.
 *
 * A keyword that no grammar says is refused by name, or left out and reported where the user asks for that. Patterns are
 * JavaScript's. `propertyNames`, `dependentRequired`, `oneOf` of disjoint schemas and keywords that say nothing are
 * written with keywords that the engine has.
 */
import { rustRegex } from '../js-regex.js';
import { at, type GrammarWarning, refusal, warning } from '../refusal.js';
import { copyJson, type Json } from './copy-json.js';
import { Disjointness, MOST_COMPARISONS } from './disjoint.js';
import { includeBounds } from './exclusive-bounds.js';
import { exclusiveOptions } from './exclusive-options.js';
import { FORMATS, SAID_BY_FORMAT } from './formats.js';
import { checkKeywords, isObject, isUnknown, type Schema, subschemas, typesOf, UNSUPPORTED } from './keywords.js';
import { checkLimits, checkSize, MOST_PATTERN_CHARACTERS, MOST_WARNINGS } from './limits.js';
import { areNamesPlain, countsRepeats } from './names.js';
import { checkDivisors, checkNumbers } from './numbers.js';
import { checkProductive } from './productive.js';
import { rewritePropertyNames } from './property-names.js';
import { checkReferenceDepth } from './reference-depth.js';
import { References } from './references.js';
import { addTo, dropEmptyKeywords, negation, requireAll, rewriteDependencies, sayAnyOf } from './rewrites.js';

/**
 * The white space of the JSON. `compact` is that of JSON.stringify, none; `spaced` that of Python's json.dumps, a space
 * behind each comma and colon; `flexible` any between any two signs, which lets a model waste tokens.
 */
export type WhiteSpace = 'compact' | 'spaced' | 'flexible';

export interface SchemaOptions {
  /** Default `compact`. */
  readonly whitespace?: WhiteSpace | undefined;
  /** The order of an object's keys: as in `properties` (default), or by name. */
  readonly keys?: 'schema' | 'sorted' | undefined;
  /** What becomes of a keyword that cannot be enforced: an error (default), or a warning in the result. */
  readonly unsupported?: 'refuse' | 'warn' | undefined;
}

export interface PreparedSchema {
  /** The schema for the engine, as JSON. */
  readonly text: string;
  /** What is not enforced. */
  readonly warnings: readonly GrammarWarning[];
  /** Patterns and formats of the schema, by the pattern that the engine reads. */
  readonly patterns: ReadonlyMap<string, string>;
}

const WHITE_SPACE: Readonly<Record<WhiteSpace, Schema>> = {
  compact: { whitespace_flexible: false },
  spaced: { whitespace_flexible: false, item_separator: ', ', key_separator: ': ' },
  flexible: { whitespace_flexible: true },
};

/** The escapes of strings and names: each character has one, or none, so that no name can be written in two ways. */
const ESCAPES = 'nrbtf\\"';
/** Beside them, `\u` and four digits for the other control characters; in open objects the engine takes it for all. */
const ALL_ESCAPES = `${ESCAPES}u`;

/** `schema`, named `path` in errors, as the engine is to read it. Throws InvalidValueError for what is none. */
export function prepareSchema(schema: unknown, path: string, options: SchemaOptions = {}): PreparedSchema {
  const places = new Map<Json, string>();
  const root = copyJson(typeof schema === 'string' ? parsed(schema, path) : schema, path, places);
  const preparation = new Preparation(root, path, places, options);
  preparation.prepare(root, path);
  checkSize(root, path);
  checkDivisors(preparation.divisors, path);
  checkReferenceDepth(root, preparation.references, path);
  checkProductive(root, preparation.references, path);
  const whole: Schema = isObject(root) ? root : {};
  const json_allowed_escapes = preparation.isClosed ? ALL_ESCAPES : ESCAPES;
  whole['x-guidance'] = { ...WHITE_SPACE[options.whitespace ?? 'compact'], json_allowed_escapes };
  const { warnings, patterns } = preparation;
  return { text: JSON.stringify(whole), warnings, patterns };
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(path, `JSON text (${(error as Error).message})`, text);
  }
}

class Preparation {
  readonly warnings: GrammarWarning[] = [];
  readonly patterns = new Map<string, string>();
  readonly divisors = new Set<number>();
  /** Whether no object has names of its own and others beside them, which might be the same ones in escapes. */
  isClosed = true;
  readonly references: References;
  readonly #root: Json;
  readonly #path: string;
  /** Where each object of the schema stands, also what is read by a reference first. */
  readonly #places: ReadonlyMap<Json, string>;
  readonly #options: SchemaOptions;
  readonly #disjointness: Disjointness;
  readonly #seen = new Set<Schema>();
  #patternCharacters = 0;
  /** By the pattern that says a format. */
  readonly #formats = new Map<string, string>();

  constructor(root: Json, path: string, places: ReadonlyMap<Json, string>, options: SchemaOptions) {
    this.#root = root;
    this.#path = path;
    this.#places = places;
    this.references = new References(root, path);
    this.#options = options;
    this.#disjointness = new Disjointness(this.references);
  }

  /** Prepares `schema` and all below it, and what it refers to. `way` is where it was met. */
  prepare(schema: Json, way: string): void {
    if (typeof schema === 'boolean') return;
    const path = this.#places.get(schema) ?? way;
    if (!isObject(schema)) throw refusal(path, 'a schema: an object, true or false', schema);
    if (this.#seen.has(schema)) return;
    this.#seen.add(schema);
    delete schema['x-guidance']; // ours alone
    checkKeywords(schema, path);
    if (schema !== this.#root) checkIdBesideReference(schema, path);
    this.#rewrite(schema, path);
    checkLimits(schema, path);
    checkNumbers(schema, path);
    if (typeof schema.multipleOf === 'number') this.divisors.add(schema.multipleOf);
    includeBounds(schema);
    this.#leaveOut(schema, path);
    for (const [below, place] of subschemas(schema, path)) this.prepare(below, place);
    this.#prepareTarget(schema, path);
    if (!areNamesPlain(schema)) this.isClosed = false;
    this.#oneOf(schema, path); // when the options are as the engine reads them
    this.#patterns(schema, path);
  }

  #rewrite(schema: Schema, path: string): void {
    dropEmptyKeywords(schema);
    rewriteDependencies(schema, path);
    if (schema.propertyNames !== undefined) rewritePropertyNames(schema, this.references, path);
    if (this.#options.keys === 'sorted' && isObject(schema.properties)) {
      schema.properties = Object.fromEntries(Object.entries(schema.properties).sort(([a], [b]) => (a < b ? -1 : 1)));
    }
  }

  /** Refuses, or leaves out, what cannot be enforced. */
  #leaveOut(schema: Schema, path: string): void {
    for (const key of Object.keys(schema)) {
      if (UNSUPPORTED.has(key)) this.#unsupported(schema, key, path, 'absent (no grammar says it)');
      else if (isUnknown(key)) this.#warn(path, key, 'no keyword of JSON schemas, so an annotation');
    }
    if (countsRepeats(schema)) this.#warn(path, 'minProperties', 'a name that comes twice counts twice');
    this.#format(schema, path);
  }

  /** A format as a pattern. One that is not known here may be said by a pattern beside it. */
  #format(schema: Schema, path: string): void {
    const { format } = schema;
    if (typeof format !== 'string') return;
    if (!typesOf(schema).includes('string')) {
      delete schema.format; // such as int32: it says nothing of other values
      return;
    }
    const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    if (known === undefined && schema.pattern === undefined) {
      const domain = `one of ${Object.keys(FORMATS).join(', ')}, or beside a \`pattern\``;
      this.#unsupported(schema, 'format', path, domain);
      return;
    }
    delete schema.format;
    if (known === undefined) return;
    if (schema.pattern === SAID_BY_FORMAT[format]) delete schema.pattern;
    const { pattern, ...rest } = known;
    const whole = `^(?:${pattern})$`;
    this.#formats.set(whole, format);
    addTo(schema, { pattern: whole, ...rest });
  }

  #unsupported(schema: Schema, key: string, path: string, domain: string): void {
    if (this.#options.unsupported !== 'warn') throw refusal(at(path, key), domain, schema[key]);
    this.#warn(path, key, 'not enforced');
    delete schema[key];
    dropEmptyKeywords(schema); // such as `then`, which says nothing without its `if`
  }

  #warn(path: string, keyword: string, reason: string): void {
    this.warnings.push(warning(path, keyword, reason));
    if (this.warnings.length <= MOST_WARNINGS) return;
    throw refusal(this.#path, `a schema with at most ${MOST_WARNINGS} warnings`, `more, at ${at(path, keyword)}`);
  }

  #oneOf(schema: Schema, path: string): void {
    const { oneOf } = schema;
    if (!Array.isArray(oneOf)) return;
    const exclusive = exclusiveOptions(oneOf, schema.type, this.#disjointness);
    if (exclusive === undefined && this.#options.unsupported !== 'warn') {
      const domain = this.#disjointness.isExhausted
        ? `schemas that are told apart in ${MOST_COMPARISONS} comparisons`
        : 'schemas that are plainly disjoint (or `anyOf` is meant)';
      throw refusal(at(path, 'oneOf'), domain, oneOf);
    }
    if (exclusive === undefined) this.#warn(path, 'oneOf', 'enforced as anyOf');
    if (exclusive?.some((option, i) => option !== oneOf[i])) this.isClosed = false; // they forbid names
    if (exclusive !== undefined && oneOf.every((option) => negation(option) !== undefined)) {
      delete schema.oneOf; // they only require properties, whose order others tell
      requireAll(schema, [{ anyOf: exclusive }]);
    } else sayAnyOf(schema, exclusive ?? oneOf);
  }

  #patterns(schema: Schema, path: string): void {
    if (typeof schema.pattern === 'string') schema.pattern = this.#anchored(schema.pattern, at(path, 'pattern'));
    if (!isObject(schema.patternProperties)) return;
    const place = at(path, 'patternProperties');
    schema.patternProperties = Object.fromEntries(
      Object.entries(schema.patternProperties).map(([name, value]) => [this.#anchored(name, at(place, name)), value]),
    );
  }

  #anchored(pattern: string, path: string): string {
    const text = `^(?:${rustRegex(pattern, path, 'anywhere')})$`;
    this.#patternCharacters += text.length;
    if (this.#patternCharacters > MOST_PATTERN_CHARACTERS) {
      const domain = `patterns of at most ${MOST_PATTERN_CHARACTERS} characters together, as the engine reads them`;
      throw refusal(path, domain, pattern);
    }
    this.patterns.set(text, this.#formats.get(pattern) ?? pattern);
    return text;
  }

  /** What a reference names may stand where no schema is looked for. */
  #prepareTarget(schema: Schema, path: string): void {
    if (schema.$ref === undefined) return;
    const target = this.references.target(schema);
    if (target === undefined) throw refusal(at(path, '$ref'), 'a reference to a part of this schema', schema.$ref);
    this.prepare(target, at(path, '$ref'));
  }
}

/** Up to draft 7 such an id means nothing, later on it is where the reference begins. */
function checkIdBesideReference({ $id, $ref }: Schema, path: string): void {
  if ($id === undefined || $ref === undefined || (typeof $id === 'string' && $id.startsWith('#'))) return;
  throw refusal(at(path, '$id'), 'absent beside `$ref` (drafts differ on what it means)', $id);
}
