/**
 * What a request has, and a processor is given in its constructor when it asks for it: `inject: [TOKENS.tokenizer]`.
 *
 * A token is a symbol that stands for one such thing. Only what is the same for a whole request, all of its beams and all of
 * its drafts, stands here: a step finds the history and its uniforms in the context of `process`, as each beam has a history
 * of its own and the uniforms are counted.
 */
import { InvalidValueError } from '../src/errors.js';
import { checkName } from '../src/inputs.js';
import { isObject } from '../src/kinds.js';
import type { LogitsProcessor } from './contract.js';
import type { Tokenizer } from './tokenizer.js';

/** A symbol that stands for a T; the constructor is never there: it tells TypeScript, and InversifyJS, what T is. */
export type Token<T> = symbol & (abstract new (...args: never) => T);

/** Something that may be missing: the constructor is then given undefined. */
export interface OptionalToken<T> {
  readonly token: Token<T>;
  readonly optional: true;
}

export type Injection<T = unknown> = Token<T> | OptionalToken<T>;

/** What a constructor gets, behind the options, for what is injected. */
export type Injected<I extends readonly Injection[]> = {
  [K in keyof I]: I[K] extends OptionalToken<infer T> ? T | undefined : I[K] extends Token<infer T> ? T : never;
};

/** Makes the step `grammar` of a chain as data: the grammars of `lockstep/grammar` do. */
export interface GrammarSteps {
  /**
   * @param options which grammar
   * @param tokenizer the request's, where it has one: grammars over the tokens of another one are refused
   */
  step(options: object, tokenizer?: Tokenizer): LogitsProcessor;
}

/** The token of something of your own, which a module binds; the same name gives the same token everywhere. */
export function token<T>(name: string): Token<T> {
  return Symbol.for(checkName('token', 'name', name)) as Token<T>;
}

/** `token`, where a processor can do without. */
export function ifGiven<T>(wanted: Token<T>): OptionalToken<T> {
  if (typeof wanted === 'symbol') return Object.freeze({ token: wanted, optional: true });
  throw new InvalidValueError('ifGiven', 'wanted', 'a token, such as TOKENS.tokenizer', wanted);
}

export const TOKENS = Object.freeze({
  /** The tokenizer of the request: the option `tokenizer`, or the one that `generate` and beams are given. */
  tokenizer: token<Tokenizer>('lockstep.tokenizer'),
  /** The grammars of the request: the option `grammars`. */
  grammars: token<GrammarSteps>('lockstep.grammars'),
});

/** Whether `value` can stand in `inject`. */
export function isInjection(value: unknown): value is Injection {
  return typeof value === 'symbol' || (isObject(value) && typeof (value as OptionalToken<unknown>).token === 'symbol');
}
