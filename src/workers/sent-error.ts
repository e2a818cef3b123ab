/**
 * Errors on their way from a thread to its pool.
 *
 * A refusal arrives as what it was. Of any other error arrive its message, its name, its stack and a `code` that is a
 * string or a number; its class where it is one of the language's own, else `Error`. What was thrown and is no error
 * arrives as an `Error` that shows it. Other properties, `cause` among them, stay in the thread: they need not be such
 * as can be copied.
 */
import { InvalidValueError, NothingLeftError } from '../errors.js';
import { toError } from '../sampler/sample-row.js';

export interface SentError {
  readonly error: {
    readonly message: string;
    readonly name: string;
    readonly stack: string | undefined;
    readonly code: string | number | undefined;
    readonly refusal?: SentRefusal;
  };
}

interface SentRefusal {
  readonly owner: string;
  readonly parameter: string;
  readonly domain: string;
  /** The value where it is a primitive one, else undefined; the message shows it. */
  readonly value: unknown;
  readonly isNothingLeft: boolean;
}

const CLASSES = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

/** What was thrown, in a form that can be sent. Never throws. */
export function sendError(thrown: unknown): SentError {
  try {
    const error = toError(thrown);
    const { message, name, stack, code } = error as Error & { code?: unknown };
    const sent = {
      message: String(message),
      name: String(name),
      stack: typeof stack === 'string' ? stack : undefined,
      code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    };
    return { error: error instanceof InvalidValueError ? { ...sent, refusal: sendRefusal(error) } : sent };
  } catch {
    return { error: { message: 'an error that cannot be read', name: 'Error', stack: undefined, code: undefined } };
  }
}

export function receiveError({ error: { message, name, stack, code, refusal } }: SentError): Error {
  const error = refusal === undefined ? make(name, message) : receiveRefusal(refusal);
  const properties = { message, name, stack: stack ?? error.stack, ...(code === undefined ? {} : { code }) };
  for (const [key, value] of Object.entries(properties)) {
    if ((error as unknown as Record<string, unknown>)[key] === value) continue;
    Object.defineProperty(error, key, { value, writable: true, configurable: true });
  }
  return error;
}

function make(name: string, message: string): Error {
  return new (CLASSES.find((known) => known.name === name) ?? Error)(message);
}

function sendRefusal(error: InvalidValueError): SentRefusal {
  const { owner, parameter, domain, value } = error;
  const isPrimitive = value === null || ['number', 'string', 'boolean', 'bigint'].includes(typeof value);
  const isNothingLeft = error instanceof NothingLeftError;
  return { owner, parameter, domain, value: isPrimitive ? value : undefined, isNothingLeft };
}

function receiveRefusal({ owner, parameter, domain, value, isNothingLeft }: SentRefusal): InvalidValueError {
  return new (isNothingLeft ? NothingLeftError : InvalidValueError)(owner, parameter, domain, value);
}
