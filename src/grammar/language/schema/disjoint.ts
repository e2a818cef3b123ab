/**
 * Whether no value fits two schemas, where that can be seen: then `oneOf` of them is `anyOf`.
 *
 * The answer true is a proof; false says nothing.
 */
import type { Json } from './copy-json.js';
import { isObject, type Schema, typesOf } from './keywords.js';
import type { References } from './references.js';

/** How many references and combinations are looked through. */
const DEEPEST = 8;
/** The most comparisons for one schema: of two parts of it, and of a constant with a list of them. */
export const MOST_COMPARISONS = 100_000;

export class Disjointness {
  readonly #references: References;
  #left = MOST_COMPARISONS;

  constructor(references: References) {
    this.#references = references;
  }

  /** Whether there were more comparisons than are made; from then on nothing is proved. */
  get isExhausted(): boolean {
    return this.#left < 0;
  }

  of(a: Json, b: Json): boolean {
    return this.#of(a, b, DEEPEST);
  }

  #of(a: Json, b: Json, depth: number): boolean {
    if (a === false || b === false) return true;
    if (--this.#left < 0 || depth === 0 || !isObject(a) || !isObject(b)) return false;
    const [targetOfA, targetOfB] = [this.#references.target(a), this.#references.target(b)];
    if (targetOfA !== undefined) return this.#of(targetOfA, b, depth - 1); // what stands beside it only narrows
    if (targetOfB !== undefined) return this.#of(a, targetOfB, depth - 1);
    for (const key of ['anyOf', 'oneOf'] as const) {
      if (this.#options(a, key, (option) => this.#of(option, b, depth - 1))) return true;
      if (this.#options(b, key, (option) => this.#of(a, option, depth - 1))) return true;
    }
    if (this.#parts(a).some((part) => this.#of(part, b, depth - 1))) return true;
    if (this.#parts(b).some((part) => this.#of(a, part, depth - 1))) return true;
    return areTypesDisjoint(a, b) || this.#areConstantsDisjoint(a, b) || this.#areObjectsDisjoint(a, b, depth);
  }

  #options(schema: Schema, key: 'anyOf' | 'oneOf', isDisjoint: (option: Json) => boolean): boolean {
    const options = schema[key];
    return Array.isArray(options) && options.length > 0 && options.every(isDisjoint);
  }

  #parts({ allOf }: Schema): readonly Json[] {
    return Array.isArray(allOf) ? allOf : [];
  }

  /** Arrays and objects are left out: equal ones may be written in other ways. */
  #areConstantsDisjoint(a: Schema, b: Schema): boolean {
    const [inA, inB] = [constantsOf(a), constantsOf(b)];
    if (inA === undefined || inB === undefined) return false;
    this.#left -= inA.length + inB.length;
    const isPlain = (value: Json) => typeof value !== 'object' || value === null;
    const constants = new Set(inB);
    return inA.every((value) => isPlain(value) && !constants.has(value)) && inB.every(isPlain);
  }

  /** Both must be objects, and a property that one of them requires cannot be what both say. */
  #areObjectsDisjoint(a: Schema, b: Schema, depth: number): boolean {
    if (!(isOnly(a, 'object') && isOnly(b, 'object'))) return false;
    const names = new Set([...required(a), ...required(b)]);
    this.#left -= names.size;
    return [...names].some((name) => {
      const [inA, inB] = [propertyOf(a, name), propertyOf(b, name)];
      return inA !== undefined && inB !== undefined && this.#of(inA, inB, depth - 1);
    });
  }
}

/** The types of its values; integers are numbers. */
function valueTypes(schema: Schema): readonly Json[] {
  const constants = schema.type === undefined ? constantsOf(schema) : undefined;
  return constants?.map(typeOf) ?? typesOf(schema).map((type) => (type === 'integer' ? 'number' : type));
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isOnly(schema: Schema, type: string): boolean {
  return valueTypes(schema).every((each) => each === type);
}

function areTypesDisjoint(a: Schema, b: Schema): boolean {
  const inA = valueTypes(a);
  return !valueTypes(b).some((type) => inA.includes(type));
}

function constantsOf(schema: Schema): readonly Json[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function required({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}

/** What `schema` says of a property; undefined where patterns may say it. */
function propertyOf(schema: Schema, name: string): Json | undefined {
  if (isObject(schema.properties) && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  return schema.patternProperties === undefined ? schema.additionalProperties : undefined;
}
