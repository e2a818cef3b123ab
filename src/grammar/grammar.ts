/**
 * A compiled grammar, of which any number of constraints are made, one a request.
 */
import type { Engine, GrammarSource, Matcher } from './engine/engine.js';
import { type ConstraintOptions, GrammarConstraint } from './grammar-constraint.js';

export class Grammar {
  readonly #engine: Engine;
  #matcher: Matcher | undefined;

  /** Made by `Grammars`. */
  constructor(
    engine: Engine,
    /** What the engine compiles. */
    readonly source: GrammarSource & { readonly warnings?: readonly string[] },
  ) {
    this.#engine = engine;
    this.compile();
  }

  /** What the grammar does not enforce, each with its place; where nothing was left out, none. */
  get warnings(): readonly string[] {
    return this.source.warnings ?? [];
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
  compile(): Matcher {
    const engine = this.#engine;
    if (this.#matcher === undefined || !engine.isUsable(this.#matcher)) {
      this.#matcher = engine.compile(this.source);
      engine.hold(this, this.#matcher);
    }
    return this.#matcher;
  }
}
