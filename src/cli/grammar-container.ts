/**
 * What a chain with grammars is made in: the engine is loaded for those who ask for one.
 */
import type { Container } from 'inversify';
import type { ChainData } from '../chain/chain-data.js';
import { createContainer } from '../container/create-container.js';
import type { Embedded } from '../embedded/load-embedded.js';

const STEP = 'grammar';

/** A container that has the step `grammar`, over the model's tokens; undefined where `chain` needs none. */
export async function grammarContainer(chain: ChainData, embedded: Embedded): Promise<Container | undefined> {
  if (!Array.isArray(chain) || !chain.some((step) => step?.use === STEP)) return undefined;
  const { createGrammars, grammarModule } = await import('../grammar/index.js');
  const { model, tokenizer } = embedded;
  return createContainer(grammarModule(await createGrammars({ tokenizer, endIds: model.endIds })));
}
