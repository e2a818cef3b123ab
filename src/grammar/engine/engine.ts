/**
 * The engine for one vocabulary: compiles grammars and goes through texts, synchronously.
 *
 * Matchers are places in a text. There are at most `MOST_MATCHERS` at a time: the one not used for longest is given back
 * for a new one, and whoever held it makes it again from its grammar and its ids, a millisecond for a thousand of them. So
 * the memory has a bound even where nobody gives anything back.
 */

import { anyField } from '../../options/fields.js';
import { optionsOf } from '../../options/options-of.js';
import { EngineRefusal, Instance } from './instance.js';
import { ENGINE_LIMITS } from './limits.js';
import { loadEngine } from './load-engine.js';
import { buildVocabulary, checkVocabulary, type Vocabulary, type VocabularyOptions } from './vocabulary.js';
import { readWords } from './words.js';

/** A grammar in one of the engine's own languages. */
export interface GrammarSource {
  readonly kind: 'json_schema' | 'lark';
  readonly text: string;
}

/** A place in a text, in one instance; `at` is 0 once it was given back. */
export interface Matcher {
  readonly instance: Instance;
  at: number;
}

const KINDS = ['json_schema', 'lark'] as const;
/** Each has up to a quarter of a megabyte. */
const MOST_MATCHERS = 256;

export interface EngineOptions extends VocabularyOptions {
  /** The engine's own WebAssembly, compiled or as bytes, where it is loaded by other means than this library's. */
  readonly module?: WebAssembly.Module | BufferSource;
}

const OPTIONS = optionsOf<EngineOptions>({
  tokenizer: anyField,
  endIds: anyField,
  vocabSize: anyField,
  module: anyField,
});

/** Throws InvalidValueError for options that do not fit, before anything is loaded. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const own = OPTIONS.check('createGrammars', options);
  const checked = checkVocabulary(own);
  const module = await loadEngine(own.module);
  const instance = new Instance(module);
  const { vocabulary, at } = await buildVocabulary(checked, instance);
  ENGINE_LIMITS.forEach((limit, which) => {
    instance.call(({ vocabulary_limit }) => vocabulary_limit(at, which, limit));
  });
  return new Engine(module, instance, vocabulary, at);
}

export class Engine {
  readonly vocabulary: Vocabulary;
  readonly #module: WebAssembly.Module;
  readonly #image: Uint8Array;
  readonly #vocabularyAt: number;
  #instance: Instance;
  /** The one not used for longest comes first. */
  #matchers = new Set<Matcher>();
  readonly #registry = new FinalizationRegistry<Matcher>((matcher) => this.free(matcher));

  /** Made by `createEngine`. */
  constructor(module: WebAssembly.Module, instance: Instance, vocabulary: Vocabulary, vocabularyAt: number) {
    this.#module = module;
    this.#instance = instance;
    this.vocabulary = vocabulary;
    this.#vocabularyAt = vocabularyAt;
    this.#image = instance.image();
  }

  /** Bytes of WebAssembly memory. */
  get memoryBytes(): number {
    return this.#instance.memoryBytes;
  }

  /** A matcher at the beginning of a text. Throws EngineRefusal with the reason. */
  compile({ kind, text }: GrammarSource): Matcher {
    const instance = this.#live();
    const bytes = new TextEncoder().encode(text);
    const [at, which] = [instance.put(bytes), KINDS.indexOf(kind)];
    return this.#add(instance, ({ matcher_new }) => matcher_new(this.#vocabularyAt, which, at, bytes.length));
  }

  /** Another one at the same place. */
  clone({ instance, at }: Matcher): Matcher {
    return this.#add(instance, ({ matcher_clone }) => matcher_clone(at));
  }

  /** Whether it can be used: it was not given back, and its instance lives. */
  isUsable(matcher: Matcher): boolean {
    return matcher.at !== 0 && !matcher.instance.isDead;
  }

  /** From now on `matcher` is given back when `owner` is collected. */
  hold(owner: object, matcher: Matcher): void {
    this.#registry.register(owner, matcher, matcher);
  }

  /** Gives a matcher back. */
  free(matcher: Matcher): void {
    const { instance, at } = matcher;
    this.#matchers.delete(matcher);
    this.#registry.unregister(matcher);
    if (this.isUsable(matcher)) instance.call(({ matcher_free }) => matcher_free(at));
    matcher.at = 0;
  }

  /** Writes what may come next to `target`, ceil(V / 32) words; the bits beyond V are 0. */
  readMask(matcher: Matcher, target: Int32Array): void {
    const at = this.#ask(
      matcher,
      ({ matcher_mask }, m) => matcher_mask(m),
      (pointer) => pointer === 0,
    );
    readWords(matcher.instance.memory, at, target);
    const used = this.vocabulary.vocabSize & 31;
    if (used > 0) target[target.length - 1] = (target[target.length - 1] as number) & ((1 << used) - 1);
  }

  /** Goes on by `ids`, none of them an end; how many were allowed. It stands after those. */
  advance(matcher: Matcher, ids: readonly number[]): number {
    if (ids.length === 1) {
      return this.#ask(matcher, ({ matcher_advance_one }, m) => matcher_advance_one(m, ids[0] as number), isNegative);
    }
    const at = matcher.instance.putWords(ids);
    return this.#ask(matcher, ({ matcher_advance }, m) => matcher_advance(m, at, ids.length), isNegative);
  }

  /** Goes back by `count` ids, at most those it went on by. */
  rollback(matcher: Matcher, count: number): void {
    this.#ask(matcher, ({ matcher_rollback }, m) => matcher_rollback(m, count), isNegative);
  }

  isAccepting(matcher: Matcher): boolean {
    return this.#ask(matcher, ({ matcher_accepting }, m) => matcher_accepting(m), isNegative) === 1;
  }

  /** The bytes that every text goes on with from here. */
  forced(matcher: Matcher): Uint8Array {
    this.#ask(matcher, ({ matcher_forced }, m) => matcher_forced(m), isNegative);
    return matcher.instance.bytes();
  }

  #add(instance: Instance, make: Parameters<Instance['ask']>[0]): Matcher {
    const matcher = { instance, at: instance.ask(make, (pointer) => pointer === 0) };
    this.#matchers.add(matcher);
    for (const oldest of this.#matchers) {
      if (this.#matchers.size <= MOST_MATCHERS) break;
      this.free(oldest);
    }
    return matcher;
  }

  /** Asks about a matcher; one that the engine refuses to go on with is given back. */
  #ask(
    matcher: Matcher,
    act: (exports: Parameters<Parameters<Instance['ask']>[0]>[0], at: number) => number,
    fails: (answer: number) => boolean,
  ): number {
    this.#matchers.delete(matcher);
    this.#matchers.add(matcher);
    try {
      return matcher.instance.ask((exports) => act(exports, matcher.at), fails);
    } catch (error) {
      if (error instanceof EngineRefusal) this.free(matcher);
      throw error;
    }
  }

  /** The instance, or a fresh one from the memory's image where it died. */
  #live(): Instance {
    if (this.#instance.isDead) {
      this.#instance = new Instance(this.#module, this.#image);
      this.#matchers = new Set();
    }
    return this.#instance;
  }
}

function isNegative(answer: number): boolean {
  return answer < 0;
}
