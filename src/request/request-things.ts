/**
 * What a request has of its own, and how its processors get at it.
 */
import type { Container } from 'inversify';
import type { History } from '../../processors/contract.js';
import type { Tokenizer } from '../../processors/tokenizer.js';
import { type GrammarSteps, TOKENS, type Token } from '../../processors/tokens.js';
import type { Injector } from '../chain/inject.js';
import { hasFunction } from '../kinds.js';
import { type Field, field } from '../options/options-of.js';
import type { UniformSource } from '../random/pcg32.js';

export interface RequestThings {
  readonly tokenizer?: Tokenizer | undefined;
  readonly grammars?: GrammarSteps | undefined;
  /** Of what samples. */
  readonly history?: History;
  readonly uniforms?: UniformSource;
}

/** Makes the injector of a request of `container`. */
export type OpenInjector = (container: Container, things: RequestThings) => Injector;

/** What options of requests have for their processors. */
export const INJECTED_FIELDS: Readonly<Record<'tokenizer' | 'grammars', Field>> = {
  tokenizer: field('a Tokenizer (with `encode` and `tokenBytes`)', (value) => {
    return hasFunction(value, 'encode') && hasFunction(value, 'tokenBytes');
  }),
  grammars: field('what `createGrammars` gives', (value) => hasFunction(value, 'step')),
};

/** The injector of a request without a container. */
export function plainInjector({ tokenizer, grammars }: RequestThings): Injector {
  const things = new Map<Token<unknown>, unknown>([
    [TOKENS.tokenizer, tokenizer],
    [TOKENS.grammars, grammars],
  ]);
  return { get: (token) => things.get(token) };
}
