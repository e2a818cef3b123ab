import { cut, show } from './show.js';

/**
 * The one phrasing of a refused value: `<Owner>: \`<name>\` must be <domain>, got <value>`.
 *
 * Everything that refuses input throws this, before anything is drawn or changed.
 */
export class InvalidValueError extends RangeError {
  override readonly name = 'InvalidValueError';

  constructor(
    /** Who refuses: a class, a function or a command. */
    readonly owner: string,
    /** The parameter refused. */
    readonly parameter: string,
    /** What it must be, as words: `a number in (0, 1]`. */
    readonly domain: string,
    /** What was given, itself: nothing of it was changed or copied. */
    readonly value: unknown,
  ) {
    super(`${owner}: \`${cut(parameter)}\` must be ${domain}, got ${show(value)}`);
  }
}

/** The refusal of what would leave no id to choose from: a mask, a ban, a filter. */
export class NothingLeftError extends InvalidValueError {}
