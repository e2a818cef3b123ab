/**
 * The group `grammars`: what may come next along texts of a few grammars, which ids and bytes are forced, how texts are ended
 * within a budget, and how a grammar beyond the limits is refused, which are counted in steps. The engine is WebAssembly, whose
 * words are little-endian on every processor.
 *
 * Imported when the group runs, as it brings the engine of grammars along.
 */
import { onlyAllowed } from '../../processors/masks/parts/only-allowed.js';
import { createGrammars, type GrammarConstraint, type Grammars, type GrammarsOptions } from '../grammar/index.js';
import { Pcg32 } from '../random/pcg32.js';
import type { Check } from './check.js';
import { RECIPE_SEED } from './draws.js';
import { Fnv1a } from './fnv1a.js';
import { CLOSING_CASES, GRAMMAR_CASES, HOSTILE_SCHEMA } from './grammar-cases.js';
import { VerifyTokenizer } from './grammar-vocabulary.js';

/** By what it is. */
export type GrammarDigests = Readonly<Record<string, string>>;

/** Ids that the tokenizer does not have, as in models with a padded vocabulary. */
const PADDING = 5;
/** The sequence of the random walks. */
const SEQUENCE = 301;

const tokenizer = new VerifyTokenizer();
const VOCAB_SIZE = tokenizer.vocabSize + PADDING;

/** The engine over the group's vocabulary. */
export function verifyGrammars(module: GrammarsOptions['module']): Promise<Grammars> {
  const options = { tokenizer, endIds: [tokenizer.endId], vocabSize: VOCAB_SIZE };
  return createGrammars(module === undefined ? options : { ...options, module });
}

export function* grammarChecks(digests: GrammarDigests, grammars: Grammars): Iterable<Check> {
  for (const [what, got] of grammarResults(grammars)) yield { what, expected: digests[what] ?? 'a digest', got };
}

export function* grammarResults(grammars: Grammars): Iterable<readonly [what: string, result: string]> {
  for (const { name, compile, texts } of GRAMMAR_CASES) {
    const constraint = compile(grammars).constraint();
    for (const [i, text] of texts.entries()) {
      const { masks, forced } = follow(constraint, text);
      yield [`the masks of ${name}, text ${i}`, masks];
      yield [`what is forced of ${name}, text ${i}`, forced];
    }
    constraint.dispose();
  }
  for (const { name, schema, within } of CLOSING_CASES) {
    const random = new Pcg32(RECIPE_SEED, SEQUENCE);
    const constraint = grammars.jsonSchema(schema).constraint({ close: within });
    yield [`${name} that ends within ${within} ids`, walk(constraint, random, within)];
    constraint.dispose();
  }
  yield ['the refusal of a hostile schema', refusal(() => grammars.jsonSchema(HOSTILE_SCHEMA))];
}

/** Digests of the masks along `text` and behind its end, those of its middle once more, and of what is forced. */
function follow(constraint: GrammarConstraint, text: string): { readonly masks: string; readonly forced: string } {
  const ids = [...tokenizer.encode(text), tokenizer.endId];
  const [masks, forced] = [new Fnv1a(), new Fnv1a()];
  constraint.restore([]);
  for (const id of ids) {
    addWords(masks, constraint.mask());
    forced.text(`${onlyAllowed(constraint.mask(), VOCAB_SIZE)} ${constraint.forcedBytes().join(' ')}\n`);
    constraint.advance(id);
  }
  addWords(masks, constraint.mask());
  constraint.restore(ids.slice(0, ids.length >> 1));
  addWords(masks, constraint.mask());
  return { masks: masks.hex(), forced: forced.hex() };
}

/** A digest of the masks and ids of a random text, of its end and of what it reports. */
function walk(constraint: GrammarConstraint, random: Pcg32, within: number): string {
  const digest = new Fnv1a();
  for (let n = 0; n <= within && !constraint.done; n++) {
    const words = constraint.mask();
    addWords(digest, words);
    const allowed = Array.from({ length: VOCAB_SIZE }, (_, id) => id).filter(
      (id) => ((words[id >> 5] as number) >>> (id & 31)) & 1,
    );
    constraint.advance(allowed[random.below(allowed.length)] as number);
  }
  digest.text(JSON.stringify([constraint.done, constraint.save(), constraint.report()]));
  return digest.hex();
}

/** The bytes of 32-bit words, the lowest first, as they lie in WebAssembly's memory. */
function addWords(digest: Fnv1a, words: Int32Array): void {
  for (const word of words) for (let shift = 0; shift < 32; shift += 8) digest.byte((word >>> shift) & 255);
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  return 'none';
}
