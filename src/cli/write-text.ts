/**
 * Generated text on a stream, as it becomes final, with a line about the run on another.
 */
import type { Writable } from 'node:stream';
import type { GenerateEvent } from '../decode/run/events.js';
import type { Generation } from '../decode/run/generation.js';

/** Where the text and the line about the run go, and the signal that the generation was given. */
export interface TextOutput {
  readonly out: Writable;
  readonly notes: Writable;
  readonly signal: AbortSignal;
}

/** Writes the text of `generation`, and a closing line: seed, tokens, speed, and why it ended; then what steps report. */
export async function writeText(generation: Generation, { out, notes, signal }: TextOutput): Promise<void> {
  let count = 0;
  const close = (...facts: readonly string[]) => {
    out.write('\n');
    notes.write(`[${[`seed ${generation.seed}`, `${count} tokens`, ...facts].join(', ')}]\n`);
  };
  const ended = await untilInterrupted(generation, signal, (event) => {
    out.write(event.text);
    if (event.type === 'token') count = event.count;
    if (event.type !== 'end') return;
    close(`${event.timing.tokens_per_second.toFixed(0)}/s`, event.finish_reason);
    for (const [step, report] of Object.entries(event.reports ?? {})) {
      notes.write(`[${step}: ${JSON.stringify(report)}]\n`);
    }
  });
  if (!ended) close('interrupted');
}

/** Writes one JSON line an event, with the choice it belongs to. */
export async function writeJson(generation: Generation, choice: number, { out, notes, signal }: TextOutput) {
  const ended = await untilInterrupted(generation, signal, (event) => {
    out.write(`${JSON.stringify(jsonEvent(event, choice, generation))}\n`);
  });
  if (!ended) notes.write(`[seed ${generation.seed}, interrupted]\n`);
}

/** Hands each event to `write`; false when the signal ended the run before its end. */
async function untilInterrupted(
  generation: Generation,
  signal: AbortSignal,
  write: (event: GenerateEvent) => void,
): Promise<boolean> {
  try {
    for await (const event of generation) write(event);
    return true;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    return false;
  }
}

function jsonEvent(event: GenerateEvent, choice: number, generation: Generation): object {
  const { type, ...rest } = event;
  return type === 'end' ? { choice, ...rest, seed: String(generation.seed) } : { choice, ...rest };
}
