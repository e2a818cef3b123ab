/**
 * A compiled grammar, of which any number of constraints are made, one a request.
 */
import type { Engine } from './engine.js';
import { GrammarConstraint } from './grammar-constraint.js';
import type { NativeHandle } from './native.js';
import { hold, release } from './release.js';

/** What a grammar and its constraints need of those who made it. */
export interface GrammarHost {
  readonly engine: Engine;
  readonly endIds: ReadonlySet<number>;
  /** Whether the id stands for text, or ends it. */
  isUsable(id: number): boolean;
}

export class Grammar {
  readonly #host: GrammarHost;
  readonly #handle: NativeHandle;

  /** Made by `Grammars`. */
  constructor(
    host: GrammarHost,
    handle: NativeHandle,
    /** The EBNF that xgrammar compiled; in it characters beyond ASCII are written as bytes. */
    readonly ebnf: string,
  ) {
    this.#host = host;
    this.#handle = handle;
    hold(this, handle);
  }

  /** A constraint at the beginning of a text. It belongs to one request. */
  constraint(): GrammarConstraint {
    return new GrammarConstraint(this.#host, this.#host.engine.matcher(this.#handle));
  }

  /** @internal Called by `Grammars.dispose`; the constraints made before go on. */
  dispose(): void {
    release(this, this.#handle);
  }
}
