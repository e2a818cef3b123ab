/**
 * The embedded model with grammars over its tokens, freed after the tests of the file that asks for them.
 */
import { afterAll } from 'vitest';
import { type Embedded, loadEmbedded } from '../../src/embedded/index.js';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';

export async function embeddedGrammars(): Promise<{ readonly embedded: Embedded; readonly grammars: Grammars }> {
  const embedded = await loadEmbedded();
  const grammars = await createGrammars({ tokenizer: embedded.tokenizer, endIds: embedded.model.endIds });
  afterAll(() => grammars.dispose());
  return { embedded, grammars };
}
