import { type Candidates, InvalidValueError, type StepContext } from '../contract.js';
import { listOf } from '../list-schema.js';
import { textOrIds } from '../masks/parts/ids.js';
import { idsOfText, tokenizerVersion } from '../masks/parts/text-ids.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, nonNegative, numberIn } from '../schema.js';
import type { Tokenizer } from '../tokenizer.js';
import { ifGiven, TOKENS } from '../tokens.js';
import * as z from '../zod.js';
import { continuations } from './parts/continuations.js';

const OWNER = 'Dry';
const BASE = 1.75;
const ALLOWED_LENGTH = 2;

export const dryOptions = z.strictObject({
  multiplier: nonNegative(),
  base: z.optional(numberIn('a finite number >= 1', (x) => x >= 1)),
  allowed_length: z.optional(integerFrom(1)),
  window: z.optional(integerFrom(0)),
  breakers: z.optional(listOf(textOrIds(), 'an array of breakers, each a text or an array of ids')),
});

/**
 * DRY, "don't repeat yourself": makes an id less likely the longer the passage is that it would repeat.
 *
 * Over the newest `window` ids of prompt and output (0, the default, is all): for each earlier place where the last ids stand
 * too, L is how many of them do, counted backwards until they differ, at a breaker, or at 50; the id that came next there would go
 * on with the repetition. Of several places for one id the longest counts. Where L >= allowed_length:
 * l = l - multiplier * base^(L - allowed_length). Defaults: base 1.75, allowed_length 2, no breakers; a multiplier of 0 is off.
 * A breaker ends a passage: where the last id is one, nothing is penalized, and a breaker itself never is. It is an array of ids, of
 * which the last one breaks, or a text, of which the last id by the request's tokenizer does when it stands behind a letter.
 * A masked id stays masked. Refused when a logit overflows.
 * Source: p-e-w, text-generation-webui pull request 5677. Elsewhere: dry_multiplier, dry_base, dry_allowed_length,
 * dry_sequence_breakers, dry_penalty_last_n.
 * Differs from llama.cpp: breakers are single ids, as the inventor has them, not all places where their text is. Differs from
 * exllamav2: every place counts, and none more for being frequent.
 * Example: { "use": "dry", "multiplier": 0.8, "breakers": ["\n", ":", "\"", "*"] }
 */
@processor({
  name: 'dry',
  options: dryOptions,
  stage: 'scores',
  leavesOne: true,
  inject: [ifGiven(TOKENS.tokenizer)],
})
export class Dry extends Processor<typeof dryOptions> {
  /** Whose ids the texts are, where there are texts. */
  readonly version?: string;
  readonly #breakers: ReadonlySet<number>;

  /** @param tokenizer for breakers that are texts */
  constructor(options: z.input<typeof dryOptions>, tokenizer?: Tokenizer) {
    super(options);
    const { breakers = [] } = this.options;
    this.#breakers = new Set(breakers.map((breaker, i) => lastIdOf(breaker, `breakers[${i}]`, tokenizer)));
    if (breakers.some((breaker) => typeof breaker === 'string')) {
      this.version = tokenizerVersion(tokenizer as Tokenizer);
    }
  }

  override get active(): boolean {
    return this.options.multiplier > 0;
  }

  process(candidates: Candidates, { history, numerics }: StepContext): void {
    if (!this.active) return;
    const { multiplier, base = BASE, allowed_length = ALLOWED_LENGTH, window = 0 } = this.options;
    const lengths = continuations(history.sequence, window, this.#breakers);
    for (const [id, length] of lengths) if (length < allowed_length) lengths.delete(id);
    candidates.adjustLogits([...lengths.keys()], (l, id) => {
      const excess = (lengths.get(id) as number) - allowed_length;
      const result = l - multiplier * numerics.pow(base, excess);
      if (result > -Infinity) return result;
      throw new InvalidValueError(OWNER, 'multiplier', 'small enough that no logit overflows', multiplier);
    });
  }
}

function lastIdOf(breaker: string | readonly number[], name: string, tokenizer: Tokenizer | undefined): number {
  const ids = typeof breaker === 'string' ? idsOfText(OWNER, name, `a${breaker}`, tokenizer) : breaker;
  return ids[ids.length - 1] as number;
}
