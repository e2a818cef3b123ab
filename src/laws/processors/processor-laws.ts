/**
 * The laws of processors, as one call on a class, or on what makes a step.
 */
import type { LogitsProcessor } from '../../../processors/contract.js';
import { type ProcessorClass, processorInfo } from '../../../processors/processor.js';
import { InvalidValueError } from '../../errors.js';
import { checkFunction } from '../../inputs.js';
import { countField, functionField } from '../../options/fields.js';
import { field, optionsOf } from '../../options/options-of.js';
import type { Pcg32 } from '../../random/pcg32.js';
import { LawError } from '../law-error.js';
import { type Example, exampleOf, tell } from './example.js';
import { PROCESSOR_LAWS } from './laws.js';
import { TRAITS, type Trait } from './traits.js';

const OWNER = 'processorLaws';
const UNKNOWN = 'an_option_that_nobody_has';
const STRICT = 'an option that it does not know is refused';

export interface ProcessorLawsOptions {
  /** Valid options of the class, drawn from `random`: equal states of it must give equal options. Needed for a class. */
  readonly options?: ((random: Pcg32) => object) | undefined;
  /** How many examples each law tries. An integer >= 4; default 40. */
  readonly cases?: number | undefined;
  /** Of the examples. An integer >= 0; default 2026. */
  readonly seed?: number | undefined;
  /** Laws beyond those for all, which it declares of itself. Default: none. */
  readonly obeys?: readonly Trait[] | undefined;
  /** Told each law that holds, as a sentence. */
  readonly onLaw?: ((law: string) => void) | undefined;
}

const OPTIONS = optionsOf<ProcessorLawsOptions>({
  options: functionField,
  cases: countField(4),
  seed: field('an integer >= 0', (seed) => Number.isSafeInteger(seed) && (seed as number) >= 0),
  obeys: field(`an array of ${Object.keys(TRAITS).join(', ')}, at least one`, areTraits),
  onLaw: functionField,
});

/** Gives a step, in its first state; equal states of `random` must give equal steps. */
export type MakeProcessor = (random: Pcg32) => LogitsProcessor;

/**
 * Tries every law on a processor: no NaN, nothing revived or emptied, the same bits twice and by all passes, no state that
 * moves in `process`, saved and restored as it goes on, off without effect, draws as declared, no `Math.exp` and its kin,
 * unknown options refused; and what it declares with `obeys`. It takes a tenth of a second or so, needs no test framework, and prints nothing.
 *
 *     processorLaws(TopA, { options: (random) => ({ a: random.uniform() }) });
 *     processorLaws(() => ({ name: 'even-ids', stage: 'scores', process: … }));
 *
 * A refusal (InvalidValueError) is an answer too, but not to more than half of the examples.
 * @param target a class with `@processor`, or a function that makes a step
 * @throws LawError for the first law that does not hold, with the example; InvalidValueError for wrong arguments
 */
export function processorLaws(target: ProcessorClass | MakeProcessor, options: ProcessorLawsOptions = {}): void {
  const { options: optionsFor, cases = 40, seed = 2026, obeys = [], onLaw } = OPTIONS.check(OWNER, options);
  checkFunction(OWNER, 'target', target);
  const isClass = isDecorated(target);
  if (isClass && optionsFor === undefined) {
    throw new InvalidValueError(OWNER, 'options', 'a function that gives valid options of the class', optionsFor);
  }
  const make: MakeProcessor = isClass
    ? (random) => new target((optionsFor as (random: Pcg32) => object)(random) as never)
    : (target as MakeProcessor);
  for (const [law, holds] of Object.entries(PROCESSOR_LAWS)) {
    tryLaw(law, holds, make, cases, seed);
    onLaw?.(law);
  }
  for (const trait of obeys) {
    tryLaw(trait, TRAITS[trait], make, cases, seed);
    onLaw?.(trait);
  }
  if (!isClass) return;
  tryLaw(STRICT, refusesUnknown(target), make, cases, seed);
  onLaw?.(STRICT);
}

function areTraits(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const traits: unknown[] = Array.from(value); // `every` passes over the holes of an array
  return traits.every((trait) => typeof trait === 'string' && Object.hasOwn(TRAITS, trait));
}

function isDecorated(target: unknown): target is ProcessorClass {
  try {
    processorInfo(target as ProcessorClass);
    return true;
  } catch {
    return false;
  }
}

function refusesUnknown(target: ProcessorClass): (example: Example) => void {
  return (example) => {
    const { options = {} } = example.fresh();
    try {
      new target({ ...options, [UNKNOWN]: 1 } as never);
    } catch (error) {
      if (isRefusal(error)) return;
      throw error;
    }
    throw new Error(`it takes \`${UNKNOWN}\` and ignores it`);
  };
}

function tryLaw(
  law: string,
  holds: (example: Example) => void,
  make: MakeProcessor,
  cases: number,
  seed: number,
): void {
  let refused = 0;
  let last: unknown;
  for (let n = 0; n < cases; n++) {
    const example = exampleOf(make, n, cases, seed);
    try {
      holds(example);
    } catch (error) {
      if (!isRefusal(error))
        throw new LawError(law, `${(error as Error).message} (${tell(example)})`, { cause: error });
      refused++;
      last = error;
    }
  }
  if (2 * refused <= cases) return;
  throw new LawError(law, `${refused} of ${cases} examples were refused, the last as: ${(last as Error).message}`);
}

/** By name, since the processor may come from a build of its own. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidValueError';
}
