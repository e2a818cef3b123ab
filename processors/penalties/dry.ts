import type { Candidates, StepContext } from '../contract.js';
import { checkWithin } from '../masks/parts/ids.js';
import { tokenizerVersion } from '../masks/parts/text-ids.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, nonNegative, numberIn } from '../schema.js';
import type { Tokenizer } from '../tokenizer.js';
import { ifGiven, TOKENS } from '../tokens.js';
import * as z from '../zod.js';
import { adjustOrRefuse } from './parts/adjust-or-refuse.js';
import { breakerIds, breakerList } from './parts/breakers.js';
import { SuffixMatches } from './parts/suffix-matches.js';

const OWNER = 'Dry';
/** The longest repeat that is told from a shorter one. */
const LONGEST = 50;
const BREAKERS: readonly (string | number)[] = ['\n', ':', '"', '*'];

export const dryOptions = z.strictObject({
  multiplier: nonNegative(),
  base: z._default(
    numberIn('a finite number >= 1', (x) => x >= 1),
    1.75,
  ),
  allowed_length: z._default(integerFrom(0), 2),
  breakers: z.optional(breakerList()),
  window: z.optional(integerFrom(1)),
});

/**
 * DRY, "don't repeat yourself": penalizes an id the more, the longer the repeat that it would go on with.
 *
 * Over the last `window` ids of prompt and output, all where it is left out. Where the text ended earlier as it ends now, over
 * L ids in a row, L the most for the id that followed there, at most 50: l = l - multiplier * base^(L - allowed_length) for that
 * id if L >= allowed_length. Repeats may overlap the end. They do not reach back over a breaker: behind one nothing is
 * penalized, a breaker is never penalized, and L counts the ids behind the last one at most. A breaker is an id, or a text: the
 * last id of the letter a with the text behind it, by the request's tokenizer. By default these are a newline, a colon, a
 * quotation mark and an asterisk, which need the tokenizer.
 * multiplier is finite and >= 0, base finite and >= 1, allowed_length an integer >= 0, window one >= 1. A multiplier of 0 is
 * off. An id that is masked stays masked, and one whose logit sinks below all finite numbers is removed. Refused when no id is
 * left above -Infinity, and, at any token, for a breaker that is not below V. It takes O(window) a token.
 * Source: Weidmann 2024, text-generation-webui, pull request 5677. Elsewhere: dry_multiplier, dry_base, dry_allowed_length,
 * dry_sequence_breakers, dry_penalty_last_n.
 * Differs from llama.cpp, where a breaker is a sequence of ids that is found by its text. Differs from mistral.rs, where a
 * breaker at the end of the text does not stop a repeat. Differs from exllamav2, where an id that followed several times is
 * penalized for each.
 * Example: { "use": "dry", "multiplier": 0.8, "breakers": [13] }
 */
@processor({ name: 'dry', options: dryOptions, stage: 'scores', leavesOne: true, inject: [ifGiven(TOKENS.tokenizer)] })
export class Dry extends Processor<typeof dryOptions> {
  /** Whose ids the breakers are, where there are texts. */
  readonly version?: string;
  readonly #breakers: readonly number[];
  readonly #isBreaker: ReadonlySet<number>;
  readonly #matches = new SuffixMatches();

  /** @param tokenizer for breakers that are texts */
  constructor(options: z.input<typeof dryOptions>, tokenizer?: Tokenizer) {
    super(options);
    const { breakers = BREAKERS } = this.options;
    this.#breakers = breakerIds(OWNER, breakers, tokenizer);
    this.#isBreaker = new Set(this.#breakers);
    if (breakers.some((one) => typeof one === 'string')) this.version = tokenizerVersion(tokenizer as Tokenizer);
  }

  override get active(): boolean {
    return this.options.multiplier > 0;
  }

  process(candidates: Candidates, { history, numerics }: StepContext): void {
    if (!this.active) return;
    checkWithin(this.#breakers, candidates.vocabSize, OWNER, 'breakers');
    const { multiplier, base, allowed_length } = this.options;
    const penalties = new Map<number, number>();
    for (const [id, length] of this.#repeats(history.sequence)) {
      if (length < allowed_length || this.#isBreaker.has(id)) continue;
      penalties.set(id, multiplier * numerics.pow(base, length - allowed_length));
    }
    const blamed = { owner: OWNER, name: 'multiplier', value: multiplier };
    adjustOrRefuse(candidates, [...penalties.keys()], (l, id) => l - (penalties.get(id) as number), blamed);
  }

  /** L of each id that followed a repeat. */
  #repeats(text: readonly number[]): ReadonlyMap<number, number> {
    const from = Math.max(0, text.length - (this.options.window ?? text.length));
    let most = 0;
    while (
      most < LONGEST &&
      most < text.length - from &&
      !this.#isBreaker.has(text[text.length - 1 - most] as number)
    ) {
      most++;
    }
    return most === 0 ? new Map() : this.#matches.find(text, from, most);
  }
}
