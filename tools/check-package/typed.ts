/**
 * A user's TypeScript: compiled strictly against the installed package, with its declarations checked too, and then run.
 */
import {
  type ChainData,
  createSampler,
  generate,
  type LanguageModel,
  ProcessorChain,
  type SamplingParamsInput,
  type Tokenizer,
} from 'lockstep';
import { createContainer, processorModule } from 'lockstep/container';
import type { Grammars } from 'lockstep/grammar';
import type { Numerics } from 'lockstep/numerics';
import { type Candidates, type LogitsProcessor, Processor, processor, share } from 'lockstep/processors';
import { z } from 'zod';

const options = z.strictObject({ least: share() });

@processor({ name: 'at-least', options, stage: 'policy' })
class AtLeast extends Processor<typeof options> {
  process(candidates: Candidates): void {
    const least = Math.min(this.options.least, candidates.maxProbability());
    candidates.keepIds((_id, index) => candidates.probabilityAt(index) >= least);
  }
}

const plain: LogitsProcessor = { name: 'plain', process: (candidates) => candidates.keepBest(3) };
const chain = new ProcessorChain([plain, new AtLeast({ least: 0.2 })]);
const data: ChainData = [{ use: 'at-least', least: 0.2 }];
const params: SamplingParamsInput = { seed: 2n ** 64n - 1n };
const logits = Float32Array.of(1, 3, 2, 3, -1);

const own: { readonly id: number; readonly logprob: number } = createSampler(params, { chain }).sample(logits);
const container = createContainer(processorModule(AtLeast));
const same = createSampler(params, { chain: data, container }).sample(logits);
if (own.id !== same.id) throw new Error(`${own.id} from the chain, ${same.id} from the container`);

// @ts-expect-error an unknown parameter
const unknown: SamplingParamsInput = { top_q: 0.5 };
// @ts-expect-error an option of the wrong type
const wrong = (): AtLeast => new AtLeast({ least: 'half' });

export type Parts = [Numerics, LanguageModel, Tokenizer, Grammars, typeof unknown, typeof wrong];
export const text = async (model: LanguageModel, tokenizer: Tokenizer): Promise<string> => {
  let whole = '';
  for await (const event of generate(model, tokenizer, 'In', { max_tokens: 4 })) whole += event.text;
  return whole;
};
