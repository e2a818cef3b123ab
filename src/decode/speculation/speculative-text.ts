/**
 * From verified tokens to events: end ids, stop strings and max_tokens hold inside a block as they hold between two.
 *
 * What ends the text asks for no further token, and so drops what is left of the block.
 */
import { endOf, stopped } from '../ending.js';
import type { EndEvent, Ending, TokenEvent } from '../events.js';
import type { LoopParams } from '../loop-parts.js';
import { Stopwatch } from '../stopwatch.js';
import { TextStream } from '../text-stream.js';
import { type SpeculationParts, speculate, type VerifiedToken } from './speculate.js';

export async function* speculativeText(
  parts: SpeculationParts,
  { stop, max_tokens, stop_after }: LoopParams,
): AsyncGenerator<TokenEvent | EndEvent, void, undefined> {
  const text = new TextStream(stop);
  const watch = new Stopwatch();
  let count = 0;
  let ending: Ending | undefined;
  for await (const token of watch.time(speculate(parts))) {
    if (parts.endIds.includes(token.id)) {
      ending = endOf(text, token.id, count < stop_after);
      break;
    }
    const scan = text.push(parts.tokenizer.tokenBytes(token.id), count < stop_after);
    yield tokenEvent(token, ++count, scan.text);
    if (scan.stop !== undefined) ending = stopped(scan.stop);
    if (ending !== undefined || count === max_tokens) break;
  }
  const usage = { prompt_tokens: parts.sampler.history.prompt.length, completion_tokens: count };
  const timing = { seconds: watch.seconds, tokens_per_second: watch.rate(count) };
  ending ??= endOf(text, count === max_tokens ? 'max_tokens' : 'context', count <= stop_after && stop_after > 0);
  yield { ...ending, usage, timing };
}

function tokenEvent(token: VerifiedToken, count: number, text: string): TokenEvent {
  const { id, logprob, entropy, topLogprobs } = token;
  const event = { type: 'token', id, count, text, logprob, entropy } as const;
  return topLogprobs === undefined ? event : { ...event, topLogprobs };
}
