/**
 * What a container says of its bindings, in our words.
 */
import { tokenName } from '../chain/inject.js';
import { InvalidValueError } from '../errors.js';

/** The refusal of `owner`, to whom a container could not give what `token` stands for; any other error as it is. */
export function containerRefusal(owner: string, token: symbol, error: unknown): unknown {
  if (!isOfContainer(error)) return error;
  const [reason = ''] = error.message.split('\n');
  const isDouble = reason.startsWith('Ambiguous');
  const domain = isDouble
    ? 'bound once in the container (`rebind` takes the place of a binding)'
    : 'something that the container can make';
  const refusal = new InvalidValueError(owner, tokenName(token), domain, isDouble ? 'several bindings' : reason);
  return Object.defineProperty(refusal, 'cause', { value: error, configurable: true, writable: true });
}

/** InversifyJS says by `kind` what kind of error of its own it is. */
function isOfContainer(error: unknown): error is Error {
  return error instanceof Error && typeof (error as { kind?: unknown }).kind === 'number';
}
