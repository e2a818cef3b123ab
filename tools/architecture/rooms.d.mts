/** A floor of the house: rooms of one kind. */
export interface Floor {
  readonly name: string;
  readonly title: string;
}

export interface Room {
  /** The folder of `src`, or the file right in it without its ending; `processors`. */
  readonly name: string;
  readonly floor: string;
  /** A phrase. */
  readonly holds: string;
  /** The rooms that its files import; each stands before it in the list. */
  readonly imports: readonly string[];
}

export const FLOORS: readonly Floor[];
export const ROOMS: readonly Room[];
