/**
 * Grammars over the tokens of a tokenizer: JSON schemas, regular expressions and Lark, compiled by llguidance.
 */
import { InvalidValueError } from '../errors.js';
import { createEngine, type Engine, type EngineOptions, type GrammarSource } from './engine/engine.js';
import { EngineRefusal } from './engine/instance.js';
import { Grammar } from './grammar.js';
import { prepareSchema } from './json-schema/prepare-schema.js';
import { readSchema } from './json-schema/read-schema.js';
import { regexToLark } from './regex/regex-to-lark.js';

const OWNER = 'Grammars';
/** Compiled grammars that are kept for another use. */
const KEPT = 100;

export type GrammarsOptions = EngineOptions;

/**
 * Loads the engine and prepares the vocabulary, once for all requests: about a second for 128,000 tokens, in slices between
 * which others may run, and twice the memory. Throws InvalidValueError for options that do not fit, and where the engine
 * cannot be loaded.
 */
export async function createGrammars(options: GrammarsOptions): Promise<Grammars> {
  return new Grammars(await createEngine(options));
}

export class Grammars {
  readonly #engine: Engine;
  /** By what the engine compiled, the one used last at the end. */
  readonly #kept = new Map<string, Grammar>();
  #isDisposed = false;

  /** Made by `createGrammars`. */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Bytes of WebAssembly memory that all these grammars and their constraints take together. */
  get memoryBytes(): number {
    return this.#engine.memoryBytes;
  }

  /**
   * JSON that fits `schema`, an object, true, either as JSON text, or a schema of zod 4; without spaces, the properties in the schema's order
   * (JavaScript puts names that are integers first). Names beyond `properties` may come twice. Throws InvalidValueError,
   * naming the place in the schema, for what cannot be held.
   */
  jsonSchema(schema: object | boolean | string): Grammar {
    const text = prepareSchema(readSchema(schema));
    return this.#compile('json_schema', schema, { kind: 'json_schema', text });
  }

  /**
   * Texts that `pattern` matches as a whole, read as JavaScript does with the flag `u`. Throws InvalidValueError for what is
   * no regular expression, and for assertions and back-references.
   */
  regex(pattern: string): Grammar {
    return this.#compile('regex', pattern, { kind: 'lark', text: regexToLark(pattern) });
  }

  /** One of `texts`, at least one. */
  choice(texts: readonly string[]): Grammar {
    if (!(Array.isArray(texts) && texts.length > 0 && texts.every((text) => typeof text === 'string'))) {
      throw new InvalidValueError(OWNER, 'choice', 'a non-empty array of strings', texts);
    }
    const pattern = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
    return this.#compile('choice', texts, { kind: 'lark', text: regexToLark(pattern) });
  }

  /** Texts of the rule `start` of a grammar in llguidance's variant of Lark. Throws InvalidValueError for what is none. */
  lark(grammar: string): Grammar {
    if (typeof grammar !== 'string') throw new InvalidValueError(OWNER, 'lark', 'a Lark grammar as a string', grammar);
    return this.#compile('lark', grammar, { kind: 'lark', text: grammar });
  }

  /** Makes no more grammars. Constraints made before go on. */
  dispose(): void {
    this.#isDisposed = true;
    this.#kept.clear();
  }

  #compile(name: string, given: unknown, source: GrammarSource): Grammar {
    if (this.#isDisposed) throw new InvalidValueError(OWNER, name, 'compiled before `dispose`, not after', given);
    const key = `${source.kind} ${source.text}`;
    const grammar = this.#kept.get(key) ?? this.#compileNew(name, given, source);
    this.#kept.delete(key);
    this.#kept.set(key, grammar);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    return grammar;
  }

  #compileNew(name: string, given: unknown, source: GrammarSource): Grammar {
    try {
      return new Grammar(this.#engine, source);
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      throw new InvalidValueError(OWNER, name, `a grammar that the engine takes (${error.message})`, given);
    }
  }
}
