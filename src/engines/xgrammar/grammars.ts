/**
 * Grammars over the tokens of a tokenizer: JSON schemas, regular expressions and EBNF, compiled by xgrammar.
 */
import type { Ids } from '../../../processors/plain-ids.js';
import { InvalidValueError } from '../../errors.js';
import { readIds } from '../../inputs.js';
import { isArray, isObject, isPlainObject } from '../../kinds.js';
import { checkedTokenizer } from '../../model/checked-tokenizer.js';
import type { Tokenizer } from '../../model/tokenizer.js';
import { anyField } from '../../options/fields.js';
import { optionsOf } from '../../options/options-of.js';
import { createEngine, type Engine, GrammarRefusal, type Vocabulary } from './engine.js';
import { Grammar } from './grammar.js';
import { exactEbnf } from './language/ebnf.js';
import { schemaToEbnf } from './language/json-schema.js';
import { regexToEbnf } from './language/regex.js';
import { loadXGrammar } from './load-xgrammar.js';
import type { XGrammarModule } from './native.js';

const OWNER = 'Grammars';
/** Compiled grammars that are kept for another use. */
const KEPT = 100;

export interface GrammarsOptions {
  readonly tokenizer: Tokenizer;
  /** The ids that end a text; at least one, in [0, V). They come exactly where a text is complete. */
  readonly endIds: Ids;
  /** V of the model, where it is more than the tokenizer's: ids beyond that are never allowed. */
  readonly vocabSize?: number;
  /** The module @mlc-ai/web-xgrammar, where it is loaded by other means than this library's. */
  readonly module?: XGrammarModule;
}

const OPTIONS = optionsOf<GrammarsOptions>({
  tokenizer: anyField,
  endIds: anyField,
  vocabSize: anyField,
  module: anyField,
});

/**
 * Loads xgrammar and prepares the vocabulary, once for all requests. Throws InvalidValueError for options that do not fit,
 * and when the package is not installed or is another version.
 */
export async function createGrammars(options: GrammarsOptions): Promise<Grammars> {
  const own = OPTIONS.check('createGrammars', options);
  const vocabulary = readVocabulary(own);
  const start = async () => createEngine(await loadXGrammar(own.module), vocabulary);
  return new Grammars(await start(), vocabulary, start);
}

export class Grammars {
  readonly #endIds: ReadonlySet<number>;
  readonly #vocabulary: Vocabulary;
  readonly #start: () => Promise<Engine>;
  /** By what xgrammar compiled, the one used last at the end. */
  readonly #kept = new Map<string, Grammar>();
  #engine: Engine;
  #isDisposed = false;

  /** Made by `createGrammars`. */
  constructor(engine: Engine, vocabulary: Vocabulary, start: () => Promise<Engine>) {
    this.#engine = engine;
    this.#vocabulary = vocabulary;
    this.#start = start;
    this.#endIds = new Set(vocabulary.endIds);
  }

  /**
   * JSON that fits `schema`, an object, a boolean, or either as JSON text. Not every text that fits is allowed: see
   * language/json-schema.ts. Throws InvalidValueError, naming the place in the schema, for a keyword that is not supported.
   * A count is paid for when it is compiled: with V = 128,000, some 100 ms for each character that `maxLength` allows.
   */
  jsonSchema(schema: object | boolean | string): Grammar {
    return this.#compile('json_schema', schema, schemaToEbnf(plainJson(schema)));
  }

  /**
   * Texts that `pattern` matches as a whole, read as JavaScript does with the flag `u`. Throws InvalidValueError for what
   * is no regular expression, and for assertions, backreferences and Unicode properties.
   */
  regex(pattern: string): Grammar {
    return this.#compile('regex', pattern, regexToEbnf(pattern));
  }

  /**
   * Texts of the rule `root` of a grammar in EBNF, as xgrammar's and GBNF's. Throws InvalidValueError, naming the line, for
   * what is none.
   */
  ebnf(grammar: string): Grammar {
    return this.#compile('ebnf', grammar, exactEbnf(grammar));
  }

  /** Frees the grammars and the vocabulary. Constraints made before go on; no new ones can be made. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const grammar of this.#kept.values()) grammar.dispose();
    this.#kept.clear();
    this.#engine.dispose();
  }

  #compile(name: string, given: unknown, ebnf: string): Grammar {
    if (this.#isDisposed) throw new InvalidValueError(OWNER, name, 'compiled before `dispose`, not after', given);
    const grammar = this.#kept.get(ebnf) ?? this.#compileNew(name, given, ebnf);
    this.#kept.delete(ebnf);
    this.#kept.set(ebnf, grammar);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    return grammar;
  }

  #compileNew(name: string, given: unknown, ebnf: string): Grammar {
    const engine = this.#engine;
    const host = { engine, endIds: this.#endIds, isUsable: (id: number) => this.#isUsable(id) };
    try {
      return new Grammar(host, engine.compile(ebnf), ebnf);
    } catch (error) {
      if (!(error instanceof GrammarRefusal)) throw error;
      void this.#renew();
      throw new InvalidValueError(OWNER, name, `a grammar that xgrammar can compile (${error.message})`, given);
    }
  }

  /** After an abort a new instance takes the place of the old one, in which only the constraints made before go on. */
  async #renew(): Promise<void> {
    try {
      const engine = await this.#start();
      this.#kept.clear();
      this.#engine = engine;
    } catch {
      // the old one goes on: it is in doubt, but there is no other
    }
  }

  #isUsable(id: number): boolean {
    return this.#endIds.has(id) || (this.#vocabulary.bytes[id]?.length ?? 0) > 0;
  }
}

function readVocabulary(options: GrammarsOptions): Vocabulary {
  const tokenizer = checkedTokenizer('createGrammars', options.tokenizer);
  const { vocabSize = tokenizer.vocabSize } = options;
  if (!(Number.isSafeInteger(vocabSize) && vocabSize >= tokenizer.vocabSize)) {
    const domain = `an integer >= ${tokenizer.vocabSize}, the tokenizer's`;
    throw new InvalidValueError('createGrammars', 'vocabSize', domain, vocabSize);
  }
  const domain = `a non-empty array of integers in [0, ${vocabSize})`;
  const endIds = readIds('createGrammars', 'endIds', options.endIds, vocabSize, domain);
  if (endIds.length === 0) throw new InvalidValueError('createGrammars', 'endIds', domain, endIds);
  const bytes = Array.from({ length: vocabSize }, (_, id) => tokenizer.tokenBytes(id));
  return { bytes, endIds };
}

/** The schema as JSON says it, so that nobody can change it later. */
function plainJson(schema: unknown): unknown {
  const isSchema = !isObject(schema) || isArray(schema) || isPlainObject(schema); // not a Map, which JSON has as {}
  try {
    if (isSchema) return JSON.parse(typeof schema === 'string' ? schema : JSON.stringify(schema));
  } catch {
    // refused below
  }
  throw new InvalidValueError(OWNER, 'json_schema', 'a JSON schema, or JSON text of one', schema);
}
