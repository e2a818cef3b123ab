/**
 * The laws of models, as one call.
 */
import { InvalidValueError } from '../../errors.js';
import { checkFunction } from '../../inputs.js';
import { CheckedModel } from '../../model/checked-model.js';
import type { Awaitable, LanguageModel } from '../../model/language-model.js';
import { countField, functionField } from '../../options/fields.js';
import { field, optionsOf } from '../../options/options-of.js';
import { LawError } from '../law-error.js';
import { MODEL_LAWS } from './laws.js';
import { TriedModel } from './tried-model.js';

const OWNER = 'modelLaws';

export interface ModelLawsOptions {
  /** How many ids the sequences have, at most the context less 8. An integer >= 4; default 12. */
  readonly length?: number | undefined;
  /** Of the ids. An integer >= 0; default 2026. */
  readonly seed?: number | undefined;
  /**
   * For a model that is not `exact`: the largest difference between two logits of the same ids that is taken for another way of
   * rounding, and not for other ids. A finite number > 0; default 0.1.
   */
  readonly most?: number | undefined;
  /** Told each law that holds, with why it was not tried where that is so: for progress, as a large model takes a while. */
  readonly onLaw?: ((law: string, notTried: string | undefined) => void) | undefined;
}

const OPTIONS = optionsOf<ModelLawsOptions>({
  length: countField(4),
  seed: field('an integer >= 0', (seed) => Number.isSafeInteger(seed) && (seed as number) >= 0),
  most: field('a finite number > 0', (most) => Number.isFinite(most) && (most as number) > 0),
  onLaw: functionField,
});

/** What was found of a model that obeys the laws. */
export interface ModelLawsReport {
  /** Whether it says that its logits are the same bits in whatever portions ids come; then that was demanded. */
  readonly exact: boolean;
  /** The largest difference between two logits that should be the same; 0 for a model that is exact. */
  readonly largestDifference: number;
  /** The laws that could not be tried, each with the reason. */
  readonly notTried: Readonly<Record<string, string>>;
}

/**
 * Tries every law on a model: lengths, forms, the same logits in all portions, `appendEach`, `truncate`, `fork`, sessions
 * side by side, refusals, abort. Of a model with `exact: true` the same bits are demanded.
 *
 *     const { largestDifference } = await modelLaws(() => loadMyModel());
 *
 * @param makeModel gives the model; asked once
 * @throws LawError for the first law that does not hold; InvalidValueError for wrong arguments, and for what is no model
 */
export async function modelLaws(
  makeModel: () => Awaitable<LanguageModel>,
  options: ModelLawsOptions = {},
): Promise<ModelLawsReport> {
  const { length = 12, seed = 2026, most = 0.1, onLaw } = OPTIONS.check(OWNER, options);
  checkFunction(OWNER, 'makeModel', makeModel);
  const model = new CheckedModel(OWNER, await makeModel());
  const room = model.contextLength - 8;
  if (length > room) throw new InvalidValueError(OWNER, 'length', `at most ${room}, the context less 8`, length);
  const tried = new TriedModel(model, length, seed, model.exact ? 0 : most);
  const notTried: Record<string, string> = {};
  for (const [law, holds] of Object.entries(MODEL_LAWS)) {
    const reason = await tryLaw(law, () => holds(tried), tried);
    if (reason !== undefined) notTried[law] = reason;
    onLaw?.(law, reason);
  }
  return Object.freeze({ exact: model.exact, largestDifference: tried.largestDifference, notTried });
}

async function tryLaw(
  law: string,
  holds: () => Promise<string | undefined>,
  tried: TriedModel,
): Promise<string | undefined> {
  try {
    return await holds();
  } catch (cause) {
    throw new LawError(law, (cause as Error).message ?? String(cause), { cause });
  } finally {
    await tried.closeAll();
  }
}
