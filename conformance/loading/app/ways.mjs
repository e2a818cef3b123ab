/**
 * The ways to the engine of the grammars. Each is what docs/grammars.md shows: a test holds the two together.
 */
import { createGrammars } from 'lockstep/grammar';

/**
 * `url` is where a server has engine.wasm.
 *
 * @typedef {{ model: object, tokenizer: object, url: URL }} Given
 */

/** @type {Record<string, (given: Given) => Promise<object>>} */
export const WAYS = {
  async package({ model, tokenizer }) {
    const grammars = await createGrammars({ tokenizer, endIds: model.endIds });
    return grammars;
  },
  async url({ model, tokenizer, url }) {
    const grammars = await createGrammars({ tokenizer, endIds: model.endIds, module: url });
    return grammars;
  },
  async response({ model, tokenizer, url }) {
    const response = await fetch(url);
    const grammars = await createGrammars({ tokenizer, endIds: model.endIds, module: response });
    return grammars;
  },
  async bytes({ model, tokenizer, url }) {
    const bytes = await fetch(url).then((response) => response.arrayBuffer());
    const grammars = await createGrammars({ tokenizer, endIds: model.endIds, module: bytes });
    return grammars;
  },
  async module({ model, tokenizer, url }) {
    const bytes = await fetch(url).then((response) => response.arrayBuffer());
    const module = await WebAssembly.compile(bytes);
    const grammars = await createGrammars({ tokenizer, endIds: model.endIds, module });
    return grammars;
  },
};

/** A module that another thread has compiled. */
export async function received({ model, tokenizer, module }) {
  const grammars = await createGrammars({ tokenizer, endIds: model.endIds, module });
  return grammars;
}
