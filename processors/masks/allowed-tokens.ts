import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import * as z from '../zod.js';
import { someIds } from './parts/ids.js';
import { PackedIds } from './parts/packed-ids.js';

export const allowedTokensOptions = z.strictObject({ ids: someIds() });

/**
 * Allowed tokens: keeps the listed ids and no others, for every token.
 *
 * K = K ∩ ids. The others become -Infinity, so that in front of the penalties logprobs are renormalized over what is
 * allowed. An id that is not in K stays out; logits of ids that stay do not change. Refused when nothing would remain, and
 * for an id that is not below V.
 * Source: docs/SPEC.md, "Masks". Elsewhere: allowed_token_ids.
 * Example: { "use": "allowed-tokens", "ids": [318, 257, 1332] }
 */
@processor({ name: 'allowed-tokens', options: allowedTokensOptions, stage: 'scores', leavesOne: true })
export class AllowedTokens extends Processor<typeof allowedTokensOptions> {
  readonly #mask = new PackedIds('allow', this.options.ids, 'AllowedTokens');

  process(candidates: Candidates): void {
    this.#mask.keep(candidates);
  }
}
