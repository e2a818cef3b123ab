/**
 * How a text ends.
 */
import type { Ending } from './events.js';
import type { TextStream } from './text-stream.js';

/** The end by a stop string that is complete, or by an end id, neither of which is text. */
export function stopped(stopped_by: string | number, text = ''): Ending {
  return { type: 'end', text, finish_reason: 'stop', stopped_by };
}

/** The end by an end id, or by length, unless what was held back completes a stop string. */
export function endOf(held: TextStream, endId?: number): Ending {
  const { text, stop } = held.end();
  const stopped_by = stop ?? endId;
  return stopped_by === undefined ? { type: 'end', text, finish_reason: 'length' } : stopped(stopped_by, text);
}
