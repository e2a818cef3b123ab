/**
 * Fields that several functions have. What belongs to one folder is told by its methods, not its class: it may come from
 * another realm, or from another copy of this package.
 */
import { isList, readArray } from '../inputs.js';
import { hasFunction, isFunction } from '../kinds.js';
import { type Field, field } from './options-of.js';

/** Of a field that is looked at elsewhere, where more is known. */
export const anyField: Field = field('anything', () => true);
export const signalField: Field = field('an AbortSignal', isSignal);
export const stepsField: Field = listField('an array of processors');
export const idsField: Field = field('an array of token ids', isList);
export const functionField: Field = field('a function', isFunction);

/** An array, whose entries are looked at elsewhere: here it is copied, and refused with a hole in it. */
export function listField(domain: string): Field {
  const read = (owner: string, name: string, value: unknown) =>
    Object.freeze(readArray(owner, name, domain, value, (entry) => entry));
  return { isOptional: true, read };
}

/** One of these texts. */
export function oneOf(...names: readonly string[]): Field {
  return field(names.map((name) => `\`${name}\``).join(' or '), (value) => names.some((name) => name === value));
}

/** An integer of at least `least`. */
export function countField(least: number): Field {
  return field(`an integer >= ${least}`, (value) => Number.isSafeInteger(value) && (value as number) >= least);
}

/** Whether `value` is an AbortSignal, such as `fetch` takes. */
export function isSignal(value: unknown): value is AbortSignal {
  return hasFunction(value, 'throwIfAborted') && hasFunction(value, 'addEventListener');
}
