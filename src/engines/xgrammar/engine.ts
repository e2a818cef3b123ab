/**
 * One instance of xgrammar for one vocabulary, used synchronously.
 *
 * The library's own methods are asynchronous although nothing in them waits, and a mask is needed in the middle of a
 * sampling step; so the objects below them are used. Version 0.1.27 is expected, and `createEngine` checks that they are
 * there and do what is expected of them.
 */
import { InvalidValueError } from '../../errors.js';
import { BYTE_CHARACTERS } from '../../model/byte-alphabet.js';
import type { LoadedXGrammar } from './load-xgrammar.js';
import type { NativeClasses, NativeCompiler, NativeHandle, NativeMatcher, NativeWords } from './native.js';

/** The bytes of each token, empty for those that are no text, and the ids that end a text. */
export interface Vocabulary {
  readonly bytes: readonly Uint8Array[];
  readonly endIds: readonly number[];
}

/** All single bytes, and one end id. */
const BYTES: Vocabulary = {
  bytes: Array.from({ length: 257 }, (_, byte) => (byte < 256 ? Uint8Array.of(byte) : new Uint8Array())),
  endIds: [256],
};
/** The characters from U+00A0 to U+00BF, in byte classes; what may come at first, then, and at the end. */
const PROBE = 'root ::= [\\xc2\\xc2] root_1\nroot_1 ::= [\\xa0-\\xbf]\n';
const PROBE_IDS = [0xc2, 0xa5, 256];
const PROBE_MASKS = '0 0 0 0 0 0 4 0 0; 0 0 0 0 0 ffffffff 0 0 0; 0 0 0 0 0 0 0 0 1';

/** What xgrammar says of a grammar that it does not take. */
export class GrammarRefusal extends Error {}

interface EngineParts {
  readonly compiler: NativeCompiler;
  readonly classes: NativeClasses;
  readonly vocabSize: number;
  readonly owned: readonly { dispose(): void }[];
}

/** Throws InvalidValueError when the library is another version. */
export async function createEngine(loaded: LoadedXGrammar, vocabulary: Vocabulary): Promise<Engine> {
  const probe = new Engine(loaded, await partsOf(loaded, BYTES));
  checkProbe(probe);
  probe.dispose();
  return new Engine(loaded, await partsOf(loaded, vocabulary));
}

export class Engine {
  readonly vocabSize: number;
  readonly #loaded: LoadedXGrammar;
  readonly #parts: EngineParts;

  constructor(loaded: LoadedXGrammar, parts: EngineParts) {
    this.#loaded = loaded;
    this.#parts = parts;
    this.vocabSize = parts.vocabSize;
  }

  /** Compiles an EBNF text. Throws GrammarRefusal; what xgrammar refuses aborts it, so that it is then in doubt. */
  compile(ebnf: string): NativeHandle {
    this.#loaded.messages();
    try {
      const grammar = this.#parts.classes.Grammar.FromEBNF(ebnf, 'root');
      const compiled = this.#parts.compiler.CompileGrammar(grammar);
      grammar.delete();
      return compiled;
    } catch (cause) {
      throw new GrammarRefusal(reasonOf(this.#loaded.messages()), { cause });
    }
  }

  matcher(grammar: NativeHandle): NativeMatcher {
    return new this.#parts.classes.Matcher(grammar, undefined, false, -1);
  }

  /**
   * Writes what `matcher` allows next to `target`, ceil(V / 32) words; the bits beyond V are 0. The matcher must not be past
   * the end id.
   */
  readMask(matcher: NativeMatcher, target: Int32Array): void {
    const words = matcher.GetNextTokenBitmask(this.vocabSize);
    try {
      copyWords(words, target);
    } finally {
      words.delete();
    }
    const used = this.vocabSize & 31;
    if (used > 0) target[target.length - 1] = (target[target.length - 1] as number) & ((1 << used) - 1);
  }

  dispose(): void {
    for (const part of this.#parts.owned) part.dispose();
  }
}

async function partsOf({ module }: LoadedXGrammar, vocabulary: Vocabulary): Promise<EngineParts> {
  const ends = new Set(vocabulary.endIds);
  const texts = vocabulary.bytes.map((bytes, id) => (ends.has(id) ? '' : byteLevel(bytes)));
  const vocabSize = texts.length;
  const tokens = await module.TokenizerInfo.createTokenizerInfo(texts, 'byte_level', false, vocabSize, [...ends]);
  const compiler = await module.GrammarCompiler.createGrammarCompiler(tokens, false);
  const compiled = await compiler.compileGrammar('root ::= "a"');
  const matcher = await module.GrammarMatcher.createGrammarMatcher(compiled);
  const grammar = compiled.grammar();
  const classes = checkClasses(grammar.handle?.constructor, matcher.handle?.constructor);
  for (const part of [grammar, matcher, compiled]) part.dispose();
  return { compiler: compiler.handle, classes, vocabSize, owned: [compiler, tokens] };
}

/**
 * Copies the words out of the library's memory: there, the vector begins with the address of its first word. The library's
 * own reader of single words takes 2 microseconds a word.
 */
function copyWords({ $$ }: NativeWords, target: Int32Array): void {
  const read = $$.ptrType.readValueFromPointer;
  const begin = read.call(AS_IT_IS, $$.ptr);
  for (let i = 0; i < target.length; i++) target[i] = read.call(AS_IT_IS, begin + 4 * i);
}

const AS_IT_IS = { fromWireType: (value: number) => value };

/** Bytes in the alphabet of byte-level BPE, in which any bytes can be written. */
function byteLevel(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => BYTE_CHARACTERS[byte]).join('');
}

function checkClasses(Grammar: unknown, Matcher: unknown): NativeClasses {
  const classes = { Grammar, Matcher } as NativeClasses;
  if (typeof classes.Grammar?.FromEBNF === 'function' && typeof Matcher === 'function') return classes;
  throw wrongVersion('one with other objects');
}

/** Whether classes are read byte by byte, and masks can be read. */
function checkProbe(engine: Engine): void {
  const grammar = engine.compile(PROBE);
  const matcher = engine.matcher(grammar);
  const words = new Int32Array(9);
  const seen = PROBE_IDS.map((id) => {
    engine.readMask(matcher, words);
    matcher.AcceptToken(id, false);
    return Array.from(words, (word) => (word >>> 0).toString(16)).join(' ');
  });
  matcher.delete();
  grammar.delete();
  if (seen.join('; ') !== PROBE_MASKS) throw wrongVersion(`one with the masks ${seen.join('; ')}`);
}

function wrongVersion(found: string): InvalidValueError {
  return new InvalidValueError('createGrammars', '@mlc-ai/web-xgrammar', 'version 0.1.27', found);
}

/** The reason behind "[FATAL] file:line: ". */
function reasonOf(messages: readonly string[]): string {
  const fatal = messages.find((message) => message.startsWith('[FATAL]'));
  return fatal?.replace(/^\[FATAL\] \S+:\d+: /, '') ?? 'no reason given';
}
