/**
 * Generated text on a stream, as it becomes final, with a line about the run on another.
 */
import type { Writable } from 'node:stream';
import type { GenerateEvent } from '../decode/events.js';
import type { Generation } from '../decode/generation.js';

/** Writes the text of `generation` to `out` and a closing line (seed, tokens, speed, reason) to `notes`. */
export async function writeText(generation: Generation, out: Writable, notes: Writable): Promise<void> {
  for await (const event of generation) {
    out.write(event.text);
    if (event.type !== 'end') continue;
    out.write('\n');
    const { finish_reason, timing, usage } = event;
    const rate = timing.tokens_per_second.toFixed(0);
    notes.write(`[seed ${generation.seed}, ${usage.completion_tokens} tokens, ${rate}/s, ${finish_reason}]\n`);
  }
}

/** Writes one JSON line an event, with the choice it belongs to. */
export async function writeJson(generation: Generation, choice: number, out: Writable): Promise<void> {
  for await (const event of generation) out.write(`${JSON.stringify(jsonEvent(event, choice, generation))}\n`);
}

function jsonEvent(event: GenerateEvent, choice: number, generation: Generation): object {
  const { type, ...rest } = event;
  return type === 'end' ? { choice, ...rest, seed: String(generation.seed) } : { choice, ...rest };
}
