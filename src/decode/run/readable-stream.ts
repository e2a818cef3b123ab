/**
 * Events as a Web ReadableStream: nothing is asked for before it is read, and cancelling ends the work.
 *
 * An event is made as it is given to whoever reads, so that what a cancelled read would have got has not happened. Where the
 * reader let go of the stream meanwhile, the stream keeps the chunk for the next one: it counts as handed out.
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
