/**
 * Generated text on a stream, as it becomes final, with a line about the run on another.
 */
import type { Writable } from 'node:stream';
import type { GenerateEvent, Generation } from '../decode/generate.js';

/** Writes the text of `generation` to `out` and a closing line (seed, tokens, speed, reason) to `notes`. */
export async function writeText(generation: Generation, out: Writable, notes: Writable): Promise<void> {
  const start = performance.now();
  let tokens = 0;
  for await (const event of generation) {
    out.write(event.text);
    if (event.type === 'token') tokens++;
    else {
      out.write('\n');
      const rate = (tokens / (performance.now() - start)) * 1000;
      notes.write(`[seed ${generation.seed}, ${tokens} tokens, ${rate.toFixed(0)}/s, ${event.finish_reason}]\n`);
    }
  }
}

/** Writes one JSON line an event, with the choice it belongs to. */
export async function writeJson(generation: Generation, choice: number, out: Writable): Promise<void> {
  for await (const event of generation) out.write(`${JSON.stringify(jsonEvent(event, choice, generation))}\n`);
}

function jsonEvent(event: GenerateEvent, choice: number, generation: Generation): object {
  const { type, ...rest } = event;
  return type === 'token' ? { choice, ...rest } : { choice, ...rest, seed: String(generation.seed) };
}
