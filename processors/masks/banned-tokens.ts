import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import * as z from '../zod.js';
import { idList } from './parts/ids.js';
import { PackedIds } from './parts/packed-ids.js';

export const bannedTokensOptions = z.strictObject({ ids: idList() });

/**
 * Banned tokens: the listed ids are never drawn.
 *
 * K = K \ ids: their logits become -Infinity, not a low number, so that no later step brings them back. No ids is off.
 * Refused when nothing would remain, and for an id that is not below V.
 * Source: docs/SPEC.md, "Masks". Elsewhere: SuppressTokensLogitsProcessor, suppress_tokens, disallow_tokens.
 * Differs from Hugging Face, where an id beyond the vocabulary is passed over.
 * Example: { "use": "banned-tokens", "ids": [0, 50256] }
 */
@processor({ name: 'banned-tokens', options: bannedTokensOptions, stage: 'scores', leavesOne: true })
export class BannedTokens extends Processor<typeof bannedTokensOptions> {
  readonly #mask = new PackedIds('ban', this.options.ids, 'BannedTokens');

  override get active(): boolean {
    return this.options.ids.length > 0;
  }

  process(candidates: Candidates): void {
    if (this.active) this.#mask.keep(candidates);
  }
}
