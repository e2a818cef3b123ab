/**
 * Events in two halves: what has to be waited for, and the event, which is made at the moment it is handed out.
 *
 * The text does not advance while something is awaited. So a caller that stops waiting has missed nothing, and a saved state
 * is always that of the events that were handed out.
 */
export interface EventSource<E> {
  /** Whether the last event was handed out. */
  readonly isOver: boolean;
  /** Waits for what the next event is made of. */
  prepare(): Promise<void>;
  /** The next event, after `prepare`; undefined where more has to be waited for. */
  take(): E | undefined;
  /** Frees what is held. Nothing is asked for any more. */
  close(): Promise<void>;
}
