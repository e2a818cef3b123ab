/**
 * What the tables of the fuzz are made of: something that is called, its good arguments, and what it takes of the bad ones.
 */
import { BAD_VALUES } from './bad-values.js';

/** Bad values that a parameter takes after all, by name, and why. */
export interface Accepted {
  readonly why: string;
  readonly names: readonly string[];
  /** Functions that are called: what they throw, or give that is refused, is their own affair. */
  readonly isCalled?: boolean;
  /** Tested elsewhere: it takes seconds. */
  readonly isLong?: boolean;
}

export interface Param {
  readonly name: string;
  readonly accepted: readonly Accepted[];
  /** For options: each field, with what it takes. */
  readonly fields?: Readonly<Record<string, readonly Accepted[]>>;
  /** An interface that objects of one's own fulfil: what else they have is nobody's affair. */
  readonly isOpen?: boolean;
  /** Other names under which a refusal may name it. */
  readonly alias?: RegExp;
}

/** A call with good arguments, made anew for each bad value. */
export interface Prepared {
  readonly args: readonly unknown[];
  readonly call: (...args: never[]) => unknown;
  /** What a refused call must leave as it was. */
  readonly watch?: () => unknown;
  /** What ends what a call that was not refused began. */
  readonly end?: (result: unknown) => unknown;
}

export interface Subject {
  /** `createSampler`, `new Sampler`, `Sampler.sample`. */
  readonly of: string;
  readonly params: readonly Param[];
  readonly prepare: () => Prepared;
}

const NAMES = new Set(BAD_VALUES.map(({ name }) => name));

export function accepted(why: string, ...names: readonly string[]): Accepted {
  const unknown = names.find((name) => !NAMES.has(name));
  if (unknown !== undefined) throw new Error(`the fuzz has no value named ${unknown}`);
  return { why, names };
}

/** Functions, which are called; what comes of that is their own affair. */
export function called(...names: readonly string[]): Accepted {
  return { ...accepted('a function, which is called', ...names), isCalled: true };
}

/** Values that are taken, and then much is done. */
export function long(why: string, ...names: readonly string[]): Accepted {
  return { ...accepted(why, ...names), isLong: true };
}

export function param(name: string, ...all: readonly Accepted[]): Param {
  return { name, accepted: all };
}

/** A parameter that takes options, with what each field takes. */
export function options(name: string, fields: Param['fields'], ...all: readonly Accepted[]): Param {
  return { name, accepted: all, fields: fields ?? {} };
}

export function subject(of: string, params: readonly Param[], prepare: () => Prepared): Subject {
  return { of, params, prepare };
}
