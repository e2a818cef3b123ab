/**
 * Grammars over the tokens of a tokenizer: JSON schemas, calls of tools, regular expressions, choices, EBNF, GBNF and Lark,
 * compiled by llguidance.
 */
import type { Constrained } from '../../processors/constraints/constrained.js';
import type { Tokenizer } from '../../processors/tokenizer.js';
import type { GrammarSteps } from '../../processors/tokens.js';
import { InvalidValueError } from '../errors.js';
import { checkedTokenizer } from '../model/checked-tokenizer.js';
import { show } from '../show.js';
import { createEngine, type Engine, type EngineOptions } from './engine/engine.js';
import { EngineRefusal } from './engine/instance.js';
import { engineReason } from './engine-reason.js';
import { Grammar } from './grammar.js';
import { grammarStep } from './grammar-step.js';
import type { SchemaOptions } from './language/schema/prepare-schema.js';
import type { ToolDefinition } from './language/schema/tools.js';
import {
  choiceSource,
  ebnfSource,
  larkSource,
  type PreparedGrammar,
  regexSource,
  schemaSource,
  toolSource,
} from './language/source.js';
import { checkJsonOptions, checkSchemaOptions, type JsonOptions } from './schema-options.js';

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

/**
 * Each kind of grammar is compiled by a method of its own, which throws InvalidValueError for what is none: it names the
 * kind and, within a schema, the place. What was compiled lately is kept, so that asking again costs little.
 */
export class Grammars implements GrammarSteps {
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
   * JSON that fits `schema`: an object, a boolean, either as JSON text, or a schema of zod 4 or of another library that
   * follows Standard JSON Schema. Properties come in the schema's order (JavaScript puts names that are integers first), and
   * no white space unless `whitespace` says so. A keyword that no grammar says is refused at its place, or, with
   * `unsupported: 'warn'`, left out and listed in the grammar's `warnings`.
   */
  jsonSchema(schema: object | boolean | string, options: SchemaOptions = {}): Grammar {
    const checked = checkSchemaOptions(OWNER, options);
    return this.#compile('json_schema', schema, () => schemaSource(schema, checked));
  }

  /** Any JSON. */
  json(options: JsonOptions = {}): Grammar {
    const checked = checkJsonOptions(OWNER, options);
    return this.#compile('json', true, () => schemaSource(true, checked));
  }

  /**
   * A call of one of `tools`: `{"name":…,"arguments":…}`, the arguments as the tool's own schema says. A tool is written as
   * for OpenAI (`parameters`), MCP (`inputSchema`) or Anthropic (`input_schema`).
   */
  tools(tools: readonly ToolDefinition[], options: SchemaOptions = {}): Grammar {
    const checked = checkSchemaOptions(OWNER, options);
    return this.#compile('tools', tools, () => toolSource(tools, checked));
  }

  /**
   * Texts that `pattern` matches as a whole, read as JavaScript does with the flag `u`. Assertions and back-references are
   * refused.
   */
  regex(pattern: string): Grammar {
    return this.#compile('regex', pattern, () => regexSource(pattern));
  }

  /** One of `texts`, at least one. */
  choice(texts: readonly string[]): Grammar {
    return this.#compile('choice', texts, () => choiceSource(texts));
  }

  /** Texts of the rule `root` of a grammar in EBNF or llama.cpp's GBNF. */
  ebnf(grammar: string): Grammar {
    return this.#compile('ebnf', grammar, () => ebnfSource(grammar));
  }

  /** Texts of the rule `start` of a grammar in llguidance's variant of Lark, whose regular expressions are those of Rust. */
  lark(grammar: string): Grammar {
    return this.#compile('lark', grammar, () => larkSource(grammar));
  }

  /**
   * The step `grammar` of a chain, from its options in the chain as data.
   * @param tokenizer the request's, where it has one: refused where it is not that of these grammars
   */
  step(options: object, tokenizer?: Tokenizer): Constrained {
    if (tokenizer !== undefined) this.#checkOwn(checkedTokenizer(OWNER, tokenizer));
    return grammarStep(this, options);
  }

  /** Makes no more grammars. Constraints made before go on. */
  dispose(): void {
    this.#isDisposed = true;
    this.#kept.clear();
  }

  /** Told by what they say they are, and by their sizes, as in saved requests. */
  #checkOwn(tokenizer: Tokenizer): void {
    const own = this.#engine.vocabulary.tokenizer;
    for (const name of ['id', 'vocabSize'] as const) {
      const [here, given] = [own[name], tokenizer[name]];
      if (here === given || (name === 'id' && (here === undefined || given === undefined))) continue;
      throw new InvalidValueError(OWNER, `tokenizer.${name}`, `${show(here)}, that of these grammars`, given);
    }
  }

  #compile(name: string, given: unknown, read: () => PreparedGrammar): Grammar {
    if (this.#isDisposed) throw new InvalidValueError(OWNER, name, 'compiled before `dispose`, not after', given);
    const source = read();
    const key = JSON.stringify([source.kind, source.text, source.warnings]);
    const grammar = this.#kept.get(key) ?? this.#compileNew(name, given, source);
    this.#kept.delete(key);
    this.#kept.set(key, grammar);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    return grammar;
  }

  #compileNew(name: string, given: unknown, source: PreparedGrammar): Grammar {
    try {
      return new Grammar(this.#engine, source);
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      const reason = name === 'lark' ? error.message : engineReason(error.message, source.patterns);
      throw new InvalidValueError(OWNER, name, `a grammar that the engine takes (${reason})`, given);
    }
  }
}
