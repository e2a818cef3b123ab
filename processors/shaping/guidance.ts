import { isFunction } from '../../src/kinds.js';
import {
  type Candidates,
  InvalidValueError,
  type JsonValue,
  type StepContext,
  type StepNumerics,
} from '../contract.js';
import { Processor, processor } from '../processor.js';
import { finite } from '../schema.js';
import { ifGiven, token } from '../tokens.js';
import * as z from '../zod.js';
import { checkLength, copyLogits } from './parts/second-logits.js';

export const guidanceOptions = z.strictObject({ scale: finite() });

/**
 * Gives the second logits for the next token, V numbers below Infinity, at least one of them above -Infinity. It must give the
 * same for the same ids, since a token can be looked at twice; what it gives is read before it returns again.
 * @param sequence the ids of prompt and output, not to be written to
 */
export type SecondLogits = (sequence: readonly number[], vocabSize: number) => ArrayLike<number>;

/** For a container: where the step in a chain as data has its second logits from. */
export const SECOND_LOGITS = token<SecondLogits>('lockstep.second-logits');

const STATE = 'an integer >= 0, as `save` gave it';

/**
 * Guidance, classifier-free: moves the logits away from those that the model gives without the prompt, or with another one.
 *
 * With c the log-softmax of l over K, and u that of the second logits over all that are above -Infinity, sums by ascending id: l =
 * scale * (c - u) + u for each of K. A scale of 1 is off; above, the prompt counts for more, and at 0 the second logits alone
 * are left. scale is finite.
 *
 * The second logits come from a function, or from `set` before each token: those of the token before are refused, and so are
 * those of another length than V and -Infinity for one of K. They are no part of a saved request.
 * Source: Sanchez et al. 2023, arXiv 2306.17806. Elsewhere: UnbatchedClassifierFreeGuidanceLogitsProcessor,
 * ClassifierFreeGuidanceLogitsProcessor, guidance_scale, CFG, negative prompt.
 * Differs from Hugging Face: it does not run the model itself, and a scale of 1 leaves l as it is.
 */
@processor({
  name: 'guidance',
  options: guidanceOptions,
  stage: 'scores',
  leavesOne: true,
  inject: [ifGiven(SECOND_LOGITS)],
})
export class Guidance extends Processor<typeof guidanceOptions> {
  readonly #source: SecondLogits | undefined;
  #set: Float64Array | undefined;
  /** How many ids were accepted, and how many when the logits were set: they are for the next token alone. */
  #accepted = 0;
  #setAt = 0;

  /** @param source where the second logits come from; without it, `set` is to be called before each token */
  constructor(options: z.input<typeof guidanceOptions>, source?: SecondLogits) {
    super(options);
    if (source !== undefined && !isFunction(source)) {
      throw new InvalidValueError('Guidance', 'source', 'a function or undefined', source);
    }
    this.#source = source;
  }

  override get active(): boolean {
    return this.options.scale !== 1;
  }

  /** The second logits of the next token, V numbers, which are copied. */
  set(logits: ArrayLike<number>): void {
    if (this.#source !== undefined) {
      throw new InvalidValueError('Guidance', 'logits', 'left to the function that the step was made with', logits);
    }
    this.#set = copyLogits(logits);
    this.#setAt = this.#accepted;
  }

  process(candidates: Candidates, { history, numerics }: StepContext): void {
    if (!this.active) return;
    const { scale } = this.options;
    const second = this.#second(history.sequence, candidates.vocabSize);
    const logTotal = subtractMax(second, numerics);
    const c = candidates.logProbabilities();
    let index = 0;
    candidates.mapLogits((_, id) => {
      const u = (second[id] as number) - logTotal;
      if (u === -Infinity) {
        throw new InvalidValueError(
          'Guidance',
          'logits',
          'above -Infinity for each of the kept ids',
          `-Infinity for ${id}`,
        );
      }
      return scale * ((c[index++] as number) - u) + u;
    });
  }

  accept(): void {
    this.#accepted++;
  }

  save(): JsonValue {
    return this.#accepted;
  }

  restore(state: JsonValue): void {
    const isCount = Number.isSafeInteger(state) && (state as number) >= 0;
    if (!isCount) throw new InvalidValueError('Guidance', 'state', STATE, state);
    this.#accepted = state as number;
  }

  /** The second logits of this token: the step's own, to be written to. */
  #second(sequence: readonly number[], vocabSize: number): Float64Array {
    const given = this.#source === undefined ? this.#current() : copyLogits(this.#source(sequence, vocabSize));
    checkLength(given, vocabSize);
    return given;
  }

  #current(): Float64Array {
    if (this.#set !== undefined && this.#setAt === this.#accepted) return this.#set.slice();
    throw new InvalidValueError('Guidance', 'logits', 'set before each token', undefined);
  }
}

/** Takes the largest from each, and gives ln of the sum of their exps. */
function subtractMax(logits: Float64Array, { exp, log }: StepNumerics): number {
  let max = -Infinity;
  for (let i = 0; i < logits.length; i++) max = Math.max(max, logits[i] as number);
  let total = 0;
  for (let i = 0; i < logits.length; i++) {
    const l = (logits[i] as number) - max;
    logits[i] = l;
    if (l > -Infinity) total += exp(l);
  }
  return log(total);
}
