/**
 * How a text ends.
 */
import type { Ending, LengthBy } from '../run/events.js';
import type { TextStream } from './text-stream.js';

/** The end by a stop string that is complete, or by an end id, neither of which is text. */
export function stopped(stopped_by: string | number, text = ''): Ending {
  return { type: 'end', text, finish_reason: 'stop', stopped_by };
}

/**
 * The end by an end id, or by a length, unless what was held back completes a stop string.
 * @param isEarly whether stop strings are still passed over
 */
export function endOf(held: TextStream, by: number | LengthBy, isEarly: boolean): Ending {
  const { text, stop } = held.end(isEarly);
  if (stop !== undefined) return stopped(stop, text);
  return typeof by === 'number' ? stopped(by, text) : { type: 'end', text, finish_reason: 'length', length_by: by };
}
