/**
 * What the steps `grammar` of a chain are made by: the engine is loaded for those who ask for one.
 */
import type { Container } from 'inversify';
import { type GrammarSteps, TOKENS } from '../../processors/tokens.js';
import type { ChainData } from '../chain/chain-data.js';
import type { Embedded } from '../embedded/load-embedded.js';

const STEP = 'grammar';

/** Grammars over the model's tokens; undefined where `chain` needs none, or the container of the user's own has some. */
export async function chainGrammars(
  chain: ChainData,
  container: Container | undefined,
  { model, tokenizer }: Embedded,
): Promise<GrammarSteps | undefined> {
  const isAsked = Array.isArray(chain) && chain.some((step) => step?.use === STEP);
  if (!isAsked || container?.isBound(TOKENS.grammars)) return undefined;
  const { createGrammars } = await import('../grammar/index.js');
  return createGrammars({ tokenizer, endIds: model.endIds });
}
