/**
 * What a processor is given in its constructor, out of what its request has.
 */
import { type Injection, TOKENS, type Token } from '../../processors/tokens.js';
import { InvalidValueError } from '../errors.js';

/** What a request has. */
export interface Injector {
  /**
   * What `token` stands for, the same however often it is asked for; undefined for nothing.
   * @param processor who asks, for errors
   */
  get(token: Token<unknown>, processor: string): unknown;
}

/** Of what is made for no request. */
export const NOTHING: Injector = { get: () => undefined };

/** How each is given. */
const WAYS: ReadonlyMap<symbol, string> = new Map<symbol, string>([
  [TOKENS.tokenizer, 'the option `tokenizer`, or TOKENS.tokenizer bound in the container'],
  [TOKENS.grammars, 'the option `grammars`, or `grammarModule` in the container'],
]);

/** What the processor of this name asks for, in its order. Throws InvalidValueError for what is missing. */
export function injected(processor: string, inject: readonly Injection[], injector: Injector): unknown[] {
  return inject.map((wanted) => {
    if (typeof wanted !== 'symbol') return injector.get(wanted.token, processor);
    return injector.get(wanted, processor) ?? refuseMissing(wanted, processor, injector);
  });
}

/** The name of what `token` stands for, without that of the package in front of it. */
export function tokenName(token: symbol): string {
  return (token.description ?? '').replace(/^lockstep\./, '');
}

/** The refusal of what is not there, with how it is given, and with what there is. */
function refuseMissing(token: Token<unknown>, processor: string, injector: Injector): never {
  const known = Object.values(TOKENS).filter((other) => injector.get(other, processor) !== undefined);
  const way = WAYS.get(token) ?? 'its token bound in the container';
  const has = known.map(tokenName).join(', ') || 'nothing';
  const domain = `there, as the processor needs it: ${way} (the request has ${has})`;
  throw new InvalidValueError(processor, tokenName(token), domain, undefined);
}
