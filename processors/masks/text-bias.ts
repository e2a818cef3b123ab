import { isPlainObject } from '../../src/kinds.js';
import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import type { Tokenizer } from '../tokenizer.js';
import { TOKENS } from '../tokens.js';
import * as z from '../zod.js';
import { addBegunBiases, type BiasedSequence } from './parts/begun-biases.js';
import { idsOfText, tokenizerVersion } from './parts/text-ids.js';

const OWNER = 'TextBias';
const BIAS = 'an object from texts to finite numbers';

type BiasData = Readonly<Record<string, number>>;

const onlyNumbersByText = z.superRefine<BiasData>((bias, context) => {
  for (const [text, value] of Object.entries(bias)) {
    if (text === '')
      context.addIssue({ code: 'custom', path: [text], message: 'absent (the keys are texts, not empty)' });
    else if (!Number.isFinite(value)) context.addIssue({ code: 'custom', path: [text], message: 'a finite number' });
  }
});
const frozenCopy = z.transform((bias: BiasData): BiasData => Object.freeze({ ...bias }));

export const textBiasOptions = z.strictObject({
  bias: z
    .pipe(z.custom<BiasData>(isPlainObject, { error: BIAS }).check(onlyNumbersByText), frozenCopy)
    .check(z.describe(BIAS)),
});

/**
 * Text bias: makes texts more or less likely, by the request's tokenizer.
 *
 * A text of one id: l = l + b for it, always. Of several: for the last one, where prompt and output end with the others. A
 * text is taken letter by letter: with a space in front where it is to stand within a text. Where several texts bias one id,
 * their biases are summed first, in ascending order of the texts' UTF-16 units. An id that is masked stays masked. No texts is
 * off. Refused for an id that is not below V, and when a logit would overflow, to either side: a ban is `bad-words`.
 * Source: Hugging Face, SequenceBiasLogitsProcessor, sequence_bias.
 * Differs from Hugging Face: a text one id longer than the context counts; any finite bias, not -Infinity.
 * Example: { "use": "text-bias", "bias": { " yes": 1.5, " no": -1.5 } }
 */
@processor({
  name: 'text-bias',
  options: textBiasOptions,
  stage: 'scores',
  leavesOne: true,
  inject: [TOKENS.tokenizer],
})
export class TextBias extends Processor<typeof textBiasOptions> {
  /** Whose ids the texts are. */
  readonly version: string;
  readonly #biased: readonly BiasedSequence[];

  constructor(options: { readonly bias: BiasData }, tokenizer: Tokenizer) {
    super(options);
    const { bias } = this.options;
    this.#biased = Object.keys(bias)
      .sort()
      .map((text) => {
        const name = `bias.${text}`;
        return { name, idsName: name, ids: idsOfText(OWNER, name, text, tokenizer), bias: bias[text] as number };
      });
    this.version = tokenizerVersion(tokenizer);
  }

  override get active(): boolean {
    return this.#biased.length > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    addBegunBiases(candidates, history.sequence, this.#biased, OWNER);
  }
}
