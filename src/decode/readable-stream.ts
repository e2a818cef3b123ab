/**
 * An async iterator as a Web ReadableStream: nothing is asked for before it is read, and cancelling ends the work.
 */

/** The values of `iterator` that `pick` gives; what it gives undefined for is left out. */
export function readableStream<Value, Chunk>(
  iterator: AsyncIterator<Value, void, undefined>,
  pick: (value: Value) => Chunk | undefined,
): ReadableStream<Chunk> {
  const source: UnderlyingDefaultSource<Chunk> = {
    async pull(controller) {
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return controller.close();
        const chunk = pick(value);
        if (chunk !== undefined) return controller.enqueue(chunk);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
