/**
 * Yields to the event loop now and then, so that timers, input and abort signals are handled between the tokens of a model
 * that computes synchronously.
 *
 * There is one clock and one pause at a time for a thread, however many requests it serves.
 */
const SHARE_MS = 30;

let last = performance.now();
let pause: Promise<void> | undefined;

/** Gives way when the thread has worked for a while; `signal`'s reason is thrown when it was aborted. */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  if (performance.now() - last > SHARE_MS) {
    pause ??= giveWay();
    await pause;
  }
  signal?.throwIfAborted();
}

async function giveWay(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  last = performance.now();
  pause = undefined;
}
