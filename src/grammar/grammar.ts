/**
 * A compiled grammar, of which any number of constraints are made, one a request.
 */
import type { CompiledMatcher, Engine, Matcher } from './engine/engine.js';
import { type ConstraintOptions, GrammarConstraint } from './grammar-constraint.js';
import type { GrammarWarning } from './language/refusal.js';
import type { PreparedGrammar } from './language/source.js';

export class Grammar {
  readonly #engine: Engine;
  #matcher: CompiledMatcher | undefined;
  /** What is compiled and does not hold all the same; none where everything does. Constraints report it. */
  readonly warnings: readonly GrammarWarning[];

  /** Made by `Grammars`. */
  constructor(
    engine: Engine,
    /** What the engine compiles. */
    readonly source: PreparedGrammar,
  ) {
    this.#engine = engine;
    const said = this.compile().warnings.map((reason) => ({ keyword: source.kind, place: '', reason }));
    this.warnings = Object.freeze([...(source.warnings ?? []), ...said].map((warning) => Object.freeze(warning)));
  }

  /** A constraint at the beginning of a text. It belongs to one request. */
  constraint(options?: ConstraintOptions): GrammarConstraint {
    return new GrammarConstraint(this.#engine, this, options);
  }

  /** @internal A matcher at the beginning, for the caller to keep. */
  matcher(): Matcher {
    return this.#engine.clone(this.compile());
  }

  /** @internal The matcher that the others are made of; compiled again where it was given back. */
  compile(): CompiledMatcher {
    const engine = this.#engine;
    if (this.#matcher === undefined || !engine.isUsable(this.#matcher)) {
      this.#matcher = engine.compile(this.source);
      engine.hold(this, this.#matcher);
    }
    return this.#matcher;
  }
}
