/**
 * JSON values with the keys of their objects in the order in which a grammar of their schema writes them: properties from
 * left to right, through references and combinations; then the required ones that no property lists; then the rest.
 */
import { References } from '../../dist/src/grammar/language/schema/references.js';

const COMBINATIONS = new Set(['allOf', 'anyOf', 'oneOf']);
const DEPENDENCIES = new Set(['dependencies', 'dependentSchemas']);

/** `value` with its keys in the order of `schema`. */
export function inSchemaOrder(value, schema) {
  return new Order(schema).of(value, [schema]);
}

class Order {
  #references;

  constructor(root) {
    this.#references = new References(root);
  }

  /** `value` in the order that `schemas` say together. */
  of(value, schemas) {
    if (typeof value !== 'object' || value === null) return value;
    const keywords = this.#keywords(schemas, new Set());
    if (Array.isArray(value)) return value.map((item, i) => this.of(item, itemSchemas(keywords, i)));
    const listed = named(keywords, 'properties').flatMap(Object.keys);
    const required = named(keywords, 'required').flat();
    const names = new Set([...listed, ...required].filter((name) => Object.hasOwn(value, name)));
    return Object.fromEntries(
      [...names, ...Object.keys(value)].map((name) => [name, this.of(value[name], propertySchemas(keywords, name))]),
    );
  }

  /** Each keyword with its value, of `schemas` and of what they refer to and combine, from left to right. */
  #keywords(schemas, seen) {
    return schemas.flatMap((schema) => {
      if (!isObject(schema) || seen.has(schema)) return [];
      seen.add(schema);
      const entries = Object.entries(schema);
      const own = entries.flatMap(([key, value]) => {
        if (key === '$ref') return this.#keywords([this.#references.target(schema)], seen);
        return COMBINATIONS.has(key) ? this.#keywords([value].flat(), seen) : [[key, value]];
      });
      const dependent = entries.filter(([key]) => DEPENDENCIES.has(key)).flatMap(([, value]) => Object.values(value));
      return [...own, ...this.#keywords(dependent, seen)]; // the last of their schema, as they are written with allOf
    });
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values of the keyword `name`. */
function named(keywords, name) {
  return keywords.filter(([key]) => key === name).map(([, value]) => value);
}

function itemSchemas(keywords, at) {
  return keywords.flatMap(([key, value]) => {
    if (key === 'prefixItems' || (key === 'items' && Array.isArray(value))) return value.slice(at, at + 1);
    return key === 'items' || key === 'additionalItems' ? [value] : [];
  });
}

function propertySchemas(keywords, name) {
  return keywords.flatMap(([key, value]) => {
    if (key === 'properties') return Object.hasOwn(value, name) ? [value[name]] : [];
    if (key === 'patternProperties')
      return Object.keys(value)
        .filter((pattern) => matches(pattern, name))
        .map((pattern) => value[pattern]);
    return key === 'additionalProperties' ? [value] : [];
  });
}

function matches(pattern, name) {
  try {
    return new RegExp(pattern).test(name);
  } catch {
    return false;
  }
}
