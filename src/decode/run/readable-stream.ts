/**
 * Events as a Web ReadableStream: nothing is asked for before it is read, and cancelling ends the work.
 *
 * An event is made when a reader takes it, so that a read that was cancelled has changed nothing. Where a reader released its
 * lock while it waited, the stream keeps the chunk for the next reader: it counts as handed out.
 */
import type { EventIterator } from './event-iterator.js';

/** What `pick` gives for the `events`; what it gives undefined for is left out. */
export function readableStream<Event, Chunk>(
  events: EventIterator<Event>,
  pick: (event: Event) => Chunk | undefined,
): ReadableStream<Chunk> {
  let isCancelled = false;
  const source: UnderlyingDefaultSource<Chunk> = {
    async pull(controller) {
      let isGiven = false;
      const give = (event: Event) => {
        const chunk = pick(event);
        if (chunk === undefined) return;
        controller.enqueue(chunk);
        isGiven = true;
      };
      while (!isGiven && !isCancelled) {
        const isOver = !(await events.hand(give));
        if (isOver && !isCancelled) return controller.close();
      }
    },
    async cancel() {
      isCancelled = true;
      await events.return();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
