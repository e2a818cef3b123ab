/**
 * Events in two halves: what has to be waited for, and the event, which is made at the moment it is handed out.
 *
 * Nothing of the text moves while something is waited for, so that whoever leaves meanwhile has missed nothing, and a state
 * is always that of what was handed out.
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
