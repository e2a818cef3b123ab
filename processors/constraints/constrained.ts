import { checkId, readable } from '../../src/inputs.js';
import { hasFunction, isPlainObject } from '../../src/kinds.js';
import { checkOptions } from '../check-options.js';
import {
  type Candidates,
  InvalidValueError,
  type JsonValue,
  type LogitsProcessor,
  NothingLeftError,
} from '../contract.js';
import { MaskKeeper } from '../masks/parts/mask-keeper.js';
import { onlyAllowed } from '../masks/parts/only-allowed.js';
import * as z from '../zod.js';
import type { Constraint } from './constraint.js';

const OWNER = 'Constrained';
const METHODS = ['mask', 'advance', 'isComplete', 'save', 'restore'];

const schema = z.strictObject({
  name: z.optional(
    z.custom<string>((name) => typeof name === 'string' && name !== '', { error: 'a non-empty string' }),
  ),
  options: z.optional(z.custom<object>(isPlainObject, { error: 'a plain object' })),
});
/** Constraints that a step has: told the ids of two, one would be somewhere that neither of them is. */
const taken = new WeakSet<Constraint>();

export interface ConstrainedOptions {
  /** The step's name in chains. Default `constraint`. */
  readonly name?: string;
  /** What a chain as data says of it, such as the grammar; plain JSON. */
  readonly options?: object;
}

/**
 * Constrained decoding: keeps what a constraint allows, and tells it every id that comes.
 *
 * K = K ∩ mask; each accepted id advances the constraint, and one that it does not allow is refused. Put it in front of
 * the penalties and filters: a filter before it may leave nothing that it allows, which is refused, as is a token after the
 * constraint's end. Its state is the constraint's place. Given as an object it is saved by name, options and state, and
 * the caller that restores the request gives one again, in `steps`, unless the container makes it by its name.
 * Source: docs/SPEC.md, "Masks". Elsewhere: guided and structured decoding, grammars.
 */
export class Constrained implements LogitsProcessor {
  readonly name: string;
  readonly stage = 'scores';
  readonly leavesOne = true;
  readonly options: object;
  readonly version?: string;
  readonly #constraint: Constraint;
  readonly #masks = new MaskKeeper(OWNER);

  /** @param constraint one request's; it belongs to this step from now on */
  constructor(constraint: Constraint, given: ConstrainedOptions = {}) {
    if (!METHODS.every((method) => hasFunction(constraint, method))) {
      throw new InvalidValueError(OWNER, 'constraint', `a Constraint (with ${METHODS.join(', ')})`, constraint);
    }
    const { name = 'constraint', options = {} } = checkOptions(OWNER, schema, given);
    if (taken.has(constraint)) {
      const domain = 'one of its own (make one for each step)';
      throw new InvalidValueError(OWNER, 'constraint', domain, 'one that another step has');
    }
    taken.add(constraint);
    this.name = name;
    this.options = Object.freeze(readable(OWNER, 'options', options, () => ({ ...options })));
    this.#constraint = constraint;
    const version = readable(OWNER, 'constraint', constraint, () => constraint.version);
    if (version !== undefined) this.version = version;
  }

  process(candidates: Candidates): void {
    if (this.#constraint.done) {
      const domain = 'before its end (after it, it allows nothing)';
      throw new InvalidValueError(OWNER, this.name, domain, 'one that is done');
    }
    this.#masks.keep(candidates, this.#constraint.mask(), () => this.#nothingLeft());
  }

  only(vocabSize: number): number | undefined {
    checkId(OWNER, 'vocabSize', vocabSize);
    try {
      return this.#constraint.done ? undefined : onlyAllowed(this.#constraint.mask(), vocabSize);
    } catch {
      return undefined; // `process` fails with the same, and says where
    }
  }

  budget(tokens: number): void {
    checkId(OWNER, 'tokens', tokens);
    this.#constraint.budget?.(tokens);
  }

  report(): JsonValue | undefined {
    return this.#constraint.report?.();
  }

  accept(id: number): void {
    this.#constraint.advance(id);
  }

  save(): JsonValue {
    return this.#constraint.save();
  }

  restore(state: JsonValue): void {
    this.#constraint.restore(state);
  }

  #nothingLeft(): NothingLeftError {
    const domain = 'one that allows at least one of the kept ids';
    return new NothingLeftError(OWNER, this.name, domain, 'one that allows nothing of them');
  }
}
