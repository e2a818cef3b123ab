/**
 * The options of a function, from the interface that documents them: each of its fields has a check here, and no other.
 */
import { readFields } from '../../processors/check-options.js';
import { InvalidValueError } from '../errors.js';
import { refused } from '../inputs.js';

/** What a field must be; made by `field` and `required`. */
export interface Field {
  /** Whether it may be left out. */
  readonly isOptional: boolean;
  /** The value, or a copy of it. Throws InvalidValueError, naming `owner` and `name`, for what it must not be. */
  read(owner: string, name: string, value: unknown): unknown;
}

/** Says in words what a field must be where it is wrong. */
type Domain = string | ((value: unknown) => string);

export interface Options<T> {
  /** `input`, frozen. Throws InvalidValueError, naming `owner` and the field, for what is wrong, missing or unknown. */
  check(owner: string, input: unknown, name?: string): Readonly<T>;
}

/** Options with these fields. */
export function optionsOf<T extends object>(shape: { readonly [Name in keyof Required<T>]: Field }): Options<T> {
  const fields = Object.entries<Field>(shape);
  return {
    check: (owner, input, name = 'options') => {
      const given = readFields(owner, name, input, shape);
      for (const [key, field] of fields) {
        const value = given[key];
        if (value !== undefined || !field.isOptional) given[key] = readField(owner, key, field, value);
      }
      return Object.freeze(given) as Readonly<T>;
    },
  };
}

function readField(owner: string, name: string, { read }: Field, value: unknown): unknown {
  try {
    return read(owner, name, value);
  } catch (cause) {
    throw refused(owner, name, value, cause);
  }
}

/** A field that may be left out. */
export function field(domain: Domain, accepts: (value: unknown) => boolean): Field {
  return { ...required(domain, accepts), isOptional: true };
}

/** A field that may not. */
export function required(domain: Domain, accepts: (value: unknown) => boolean): Field {
  const read = (owner: string, name: string, value: unknown) => {
    if (accepts(value)) return value;
    throw new InvalidValueError(owner, name, typeof domain === 'string' ? domain : domain(value), value);
  };
  return { isOptional: false, read };
}
