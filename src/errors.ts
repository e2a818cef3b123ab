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
    /** Where in a chain it was refused, `step 3 of 5`; the message has it behind the owner. */
    readonly place?: string,
  ) {
    super(
      `${owner}${place === undefined ? '' : ` (${place})`}: \`${cut(parameter)}\` must be ${domain}, got ${show(value)}`,
    );
  }

  /** The same refusal, of the same kind, said of `owner` at `place`; this one is its cause. */
  at(owner: string, place: string): InvalidValueError {
    const Same = this instanceof NothingLeftError ? NothingLeftError : InvalidValueError;
    const refusal = new Same(owner, this.parameter, this.domain, this.value, place);
    Object.defineProperty(refusal, 'cause', { value: this, configurable: true, writable: true });
    return refusal;
  }
}

/** The refusal of what would leave no id to choose from: a mask, a ban, a filter. */
export class NothingLeftError extends InvalidValueError {}
