/**
 * A law that was broken: by whom, and on what.
 */
export class LawError extends Error {
  override readonly name = 'LawError';
  /** The law, as a sentence. */
  readonly law: string;

  /** @param reason what was found instead, and on what */
  constructor(law: string, reason: string, options?: ErrorOptions) {
    super(`the law "${law}" does not hold: ${reason}`, options);
    this.law = law;
  }
}

/** Throws `reason` unless `holds`. */
export function demand(holds: boolean, reason: string | (() => string)): asserts holds {
  if (!holds) throw new Error(typeof reason === 'string' ? reason : reason());
}
