/**
 * The engine for one vocabulary: compiles grammars and goes through texts, synchronously.
 *
 * Matchers and closings are places in a text. There are at most `MOST_PLACES` at a time: the one not used for longest is given back
 * for a new one, and whoever held it makes it again from its grammar and its ids, a millisecond for a thousand of them. So
 * the memory has a bound even where nobody gives anything back.
 */
import type { WasmModule } from '../../kinds.js';
import { anyField } from '../../options/fields.js';
import { optionsOf } from '../../options/options-of.js';
import type { EngineExports } from './exports.js';
import { EngineRefusal, Instance } from './instance.js';
import { CLOSING_MASK_STEPS, CLOSING_STEPS, ENGINE_LIMITS } from './limits.js';
import { type EngineSource, loadEngine } from './load-engine.js';
import { buildVocabulary, checkVocabulary, type Vocabulary, type VocabularyOptions } from './vocabulary.js';
import { readWords } from './words.js';

/** A grammar in one of the engine's own languages. */
export interface GrammarSource {
  readonly kind: 'json_schema' | 'lark';
  readonly text: string;
}

type Kind = 'matcher' | 'closing';

/** A place in a text, in one instance; `at` is 0 once it was given back. */
export interface Place<K extends Kind = Kind> {
  readonly instance: Instance;
  readonly kind: K;
  at: number;
}

/** A place that knows what may come next. */
export type Matcher = Place<'matcher'>;
/** A matcher at the beginning of a text. */
export interface CompiledMatcher extends Matcher {
  /** What the engine says it does not enforce: of Lark alone, which can ask it to be lenient. */
  readonly warnings: readonly string[];
}
/** A place that knows how the text can be ended. */
export type Closing = Place<'closing'>;

const KINDS = ['json_schema', 'lark'] as const;
/** Each has up to a quarter of a megabyte. */
const MOST_PLACES = 256;
/** The engine's word for an end that was not found. */
const NONE = -2;

export interface EngineOptions extends VocabularyOptions {
  /** The package's engine.wasm, where it is not found beside the code: compiled, its bytes, a server's response, its URL. */
  readonly module?: EngineSource;
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
  readonly #module: WasmModule;
  readonly #image: Uint8Array;
  readonly #vocabularyAt: number;
  #instance: Instance;
  /** The one not used for longest comes first. */
  #places = new Set<Place>();
  readonly #registry = new FinalizationRegistry<Place>((place) => this.free(place));

  /** Made by `createEngine`. */
  constructor(module: WasmModule, instance: Instance, vocabulary: Vocabulary, vocabularyAt: number) {
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
  compile(source: GrammarSource): CompiledMatcher {
    const matcher = this.#open('matcher', source);
    const said = matcher.instance.text();
    return Object.assign(matcher, { warnings: said === '' ? [] : said.split('\n') });
  }

  /** A closing at the beginning of a text. Throws EngineRefusal with the reason. */
  openClosing(source: GrammarSource): Closing {
    return this.#open('closing', source);
  }

  /** Another one at the same place. */
  clone({ instance, at }: Matcher): Matcher {
    return this.#add('matcher', instance, ({ matcher_clone }) => matcher_clone(at));
  }

  /** Whether it can be used: it was not given back, and its instance lives. */
  isUsable(place: Place): boolean {
    return place.at !== 0 && !place.instance.isDead;
  }

  /** From now on `place` is given back when `owner` is collected. */
  hold(owner: object, place: Place): void {
    this.#registry.register(owner, place, place);
  }

  /** Gives a place back. */
  free(place: Place): void {
    const { instance, kind, at } = place;
    this.#places.delete(place);
    this.#registry.unregister(place);
    if (this.isUsable(place)) {
      instance.call((exports) => exports[`${kind}_free`](at));
    }
    place.at = 0;
  }

  /** Writes what may come next to `target`, ceil(V / 32) words; the bits beyond V are 0. */
  readMask(matcher: Matcher, target: Int32Array): void {
    const at = this.#ask(matcher, ({ matcher_mask }, m) => matcher_mask(m), isNull);
    this.#readMask(matcher, at, target);
  }

  /** Goes on by `id`, none that ends; whether it was allowed. */
  advance(place: Place, id: number): boolean {
    return this.#ask(place, (exports, at) => exports[`${place.kind}_advance`](at, id), isNegative) === 1;
  }

  /** Goes back by `count` ids, at most those it went on by. */
  rollback(place: Place, count: number): void {
    this.#ask(place, (exports, at) => exports[`${place.kind}_rollback`](at, count), isNegative);
  }

  isAccepting(matcher: Matcher): boolean {
    return this.#ask(matcher, ({ matcher_accepting }, m) => matcher_accepting(m), isNegative) === 1;
  }

  /** The bytes that every text goes on with from here. */
  forced(matcher: Matcher): Uint8Array {
    this.#ask(matcher, ({ matcher_forced }, m) => matcher_forced(m), isNegative);
    return matcher.instance.bytes();
  }

  /** Ids that end the text, as few as were found; undefined where none were. */
  planClosing(closing: Closing): number[] | undefined {
    const length = this.#ask(closing, ({ closing_plan }, c) => closing_plan(c, CLOSING_STEPS), isFailure);
    if (length === NONE) return undefined;
    const bytes = new DataView(closing.instance.bytes().buffer);
    return Array.from({ length }, (_, i) => bytes.getUint32(4 * i, true));
  }

  /** Writes to `target` the ids after which at most `left` more are known to end the text. */
  readClosingMask(closing: Closing, left: number, target: Int32Array): void {
    const at = this.#ask(
      closing,
      ({ closing_mask }, c) => closing_mask(c, left, CLOSING_STEPS, CLOSING_MASK_STEPS),
      isNull,
    );
    this.#readMask(closing, at, target);
  }

  #readMask({ instance }: Place, at: number, target: Int32Array): void {
    readWords(instance.memory, at, target);
    const used = this.vocabulary.vocabSize & 31;
    if (used > 0) target[target.length - 1] = (target[target.length - 1] as number) & ((1 << used) - 1);
  }

  #open<K extends Kind>(kind: K, { kind: language, text }: GrammarSource): Place<K> {
    const bytes = new TextEncoder().encode(text);
    const [vocabulary, which] = [this.#vocabularyAt, KINDS.indexOf(language)];
    const instance = this.#live();
    return instance.give(bytes, (at) =>
      this.#add(kind, instance, (exports) => exports[`${kind}_new`](vocabulary, which, at, bytes.length)),
    );
  }

  #add<K extends Kind>(kind: K, instance: Instance, make: (exports: EngineExports) => number): Place<K> {
    const place = { instance, kind, at: instance.ask(make, isNull) };
    this.#places.add(place);
    for (const oldest of this.#places) {
      if (this.#places.size <= MOST_PLACES) break;
      this.free(oldest);
    }
    return place;
  }

  /** Asks about a place; one that the engine refuses to go on with is given back. */
  #ask(place: Place, act: (exports: EngineExports, at: number) => number, fails: (answer: number) => boolean): number {
    this.#places.delete(place);
    this.#places.add(place);
    try {
      return place.instance.ask((exports) => act(exports, place.at), fails);
    } catch (error) {
      if (error instanceof EngineRefusal) this.free(place);
      throw error;
    }
  }

  /** The instance, or a fresh one from the memory's image where it died. */
  #live(): Instance {
    if (this.#instance.isDead) {
      this.#instance = new Instance(this.#module, this.#image);
      this.#places = new Set();
    }
    return this.#instance;
  }
}

function isNull(pointer: number): boolean {
  return pointer === 0;
}

function isFailure(answer: number): boolean {
  return answer < 0 && answer !== NONE;
}

function isNegative(answer: number): boolean {
  return answer < 0;
}
