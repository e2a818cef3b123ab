/**
 * Applies a function to a value, or to what a promise of it resolves to.
 */
import type { Awaitable } from './language-model.js';

/** `next` of `value`: at once where it is there, so that what is synchronous stays so. */
export function afterwards<A, B>(value: Awaitable<A>, next: (value: A) => B): Awaitable<B> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

function isPromise<A>(value: Awaitable<A>): value is Promise<A> {
  return typeof (value as PromiseLike<A> | null | undefined)?.then === 'function';
}
