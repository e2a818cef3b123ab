/**
 * web-xgrammar from the folder of the peers: the synchronous objects below its asynchronous classes, so that nothing but
 * its own work is timed. Its JSON has our white space, and objects are open where the schema says so.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { byteAlphabet } from './vocabulary.mjs';

export const XGRAMMAR = 'web-xgrammar';

const FILE = new URL('../peers/node_modules/@mlc-ai/web-xgrammar/lib/index.js', import.meta.url);
const SCHEMA_OPTIONS = [false, -1, [',', ':'], false];

/** As `openOurs`; or `{ skipped }`, why it cannot be measured. */
export async function openXGrammar(vocabulary) {
  try {
    const { module, memory } = evaluate();
    const begin = performance.now();
    const compiler = await openCompiler(module, vocabulary);
    const milliseconds = performance.now() - begin;
    const size = Math.ceil(vocabulary.tokenizer.vocabSize / 32);
    const built = { milliseconds, bytes: memory().buffer.byteLength };
    const { Matcher } = await classes(module, compiler);
    const open = (grammar) => new Place(new Matcher(grammar.handle, undefined, false, -1), size, memory);
    return {
      name: XGRAMMAR,
      built,
      compile: (schema) => compiler.compileJSONSchema(JSON.stringify(schema), ...SCHEMA_OPTIONS),
      open,
      constraint: (grammar) => new PeerConstraint(open(grammar), vocabulary.endIds),
    };
  } catch (error) {
    return { skipped: `${XGRAMMAR} is left out: ${error.message.split('\n')[0]}` };
  }
}

/** The package calls itself an ES module and is none: its file is read as CommonJS. Its memory is caught as it is made. */
function evaluate() {
  const source = readFileSync(FILE, 'utf8');
  const module = { exports: {} };
  const { instantiate } = WebAssembly;
  let instance;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate.apply(WebAssembly, given);
    instance = made.instance ?? made;
    return made;
  };
  const quiet = { log() {}, warn() {}, error() {} };
  new Function('require', 'module', 'exports', '__filename', '__dirname', 'console', 'process', source)(
    createRequire(import.meta.url),
    module,
    module.exports,
    FILE.pathname,
    new URL('.', FILE).pathname,
    quiet,
    undefined,
  );
  const memory = () => Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
  return { module: module.exports, memory };
}

async function openCompiler({ TokenizerInfo, GrammarCompiler }, { bytes, endIds }) {
  const characters = [...byteAlphabet().keys()];
  const texts = bytes.map((token) => Array.from(token, (byte) => characters[byte]).join(''));
  const tokens = await TokenizerInfo.createTokenizerInfo(texts, 'byte_level', false, texts.length, endIds);
  return GrammarCompiler.createGrammarCompiler(tokens, false);
}

async function classes({ GrammarMatcher }, compiler) {
  const matcher = await GrammarMatcher.createGrammarMatcher(
    await compiler.compileJSONSchema('true', ...SCHEMA_OPTIONS),
  );
  return { Matcher: matcher.handle.constructor };
}

/** A place in a text. */
class Place {
  #matcher;
  #words;
  #memory;

  constructor(matcher, size, memory) {
    this.#matcher = matcher;
    this.#words = new Int32Array(size);
    this.#memory = memory;
  }

  mask() {
    const vector = this.#matcher.GetNextTokenBitmask(this.#words.length * 32);
    const { buffer } = this.#memory();
    const [begin] = new Int32Array(buffer, vector.$$.ptr, 1); // a vector begins with where its words are
    this.#words.set(new Int32Array(buffer, begin, this.#words.length));
    vector.delete();
    return this.#words;
  }

  advance(id) {
    if (!this.#matcher.AcceptToken(id, false)) throw new Error(`the id ${id} is not allowed`);
  }

  close() {
    this.#matcher.delete();
  }
}

/** As much of a constraint as a generation needs. */
class PeerConstraint {
  #place;
  #endIds;
  #mask;
  done = false;

  constructor(place, endIds) {
    this.#place = place;
    this.#endIds = endIds;
  }

  mask() {
    this.#mask ??= this.done ? new Int32Array(4008) : this.#place.mask();
    return this.#mask;
  }

  advance(id) {
    this.#place.advance(id);
    this.done = this.#endIds.includes(id);
    this.#mask = undefined;
  }

  isComplete() {
    return this.done || this.#endIds.some((id) => (this.mask()[id >> 5] >>> (id & 31)) & 1);
  }

  save() {
    return null;
  }

  restore() {}
}
