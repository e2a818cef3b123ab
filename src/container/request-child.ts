/**
 * The child container of a request: it holds the request's own things, and its other bindings are its parent's.
 */
import { Container, type ResolutionContext } from 'inversify';
import { TOKENS, type Token } from '../../processors/tokens.js';
import type { Injector } from '../chain/inject.js';
import { containerRefusal } from '../request/container-refusal.js';
import type { RequestThings } from '../request/request-things.js';
import { PARTS } from '../request/tokens.js';

/**
 * What the processors of one request are given, out of `parent` and the request's own things. The child is opened when the
 * first of them asks, as most requests need none; what it gave once is the same for all of them.
 */
export function openInjector(parent: Container, things: RequestThings): Injector {
  const given = new Map<Token<unknown>, unknown>();
  let child: Container | undefined;
  return {
    get(token, processor) {
      if (given.has(token)) return given.get(token);
      child ??= childOf(parent, things);
      const value = valueIn(child, token, processor);
      given.set(token, value);
      return value;
    },
  };
}

/** No module is loaded: that takes ten times as long. */
function childOf(parent: Container, { tokenizer, grammars, history, uniforms }: RequestThings): Container {
  const child = new Container({ parent });
  if (tokenizer !== undefined) child.bind(TOKENS.tokenizer).toConstantValue(tokenizer);
  if (grammars !== undefined) child.bind(TOKENS.grammars).toConstantValue(grammars);
  if (history !== undefined) child.bind(PARTS.history).toConstantValue(history);
  if (uniforms !== undefined) child.bind(PARTS.requestUniforms).toConstantValue(uniforms);
  return child;
}

/** What `token` stands for in `container`; undefined for nothing. Refuses, naming `owner`, what cannot be given. */
export function valueIn<T>(container: Pick<ResolutionContext, 'get'>, token: Token<T>, owner: string): T | undefined {
  try {
    return container.get(token, { optional: true });
  } catch (error) {
    throw containerRefusal(owner, token, error);
  }
}
