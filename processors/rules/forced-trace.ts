import { type Candidates, NothingLeftError, type StepContext } from '../contract.js';
import { checkWithin, idList } from '../masks/parts/ids.js';
import { MaskKeeper } from '../masks/parts/mask-keeper.js';
import { Processor, processor } from '../processor.js';
import * as z from '../zod.js';

const OWNER = 'ForcedTrace';

export const forcedTraceOptions = z.strictObject({ trace: idList() });

/**
 * Forced trace: the output is the listed ids again, and goes on freely behind them.
 *
 * With t ids in the output, K = {trace[t]}; from trace.length on nothing. A history that the request began with counts: it is
 * the beginning of the trace. It is of stage policy and settles nothing, so that every token has the logprob that the model
 * gives it and takes its uniform like any other: a request that replays the first ids of another one with the same seed then
 * goes on as that one did. It is to stand before the filters. No ids is off. Refused when the id was removed before, and, at any
 * token, for an id that is not below V.
 * Source: vLLM, trace_decode_token_ids. Elsewhere: replay, teacher forcing.
 * Example: { "use": "forced-trace", "trace": [318, 257, 1332] }
 */
@processor({ name: 'forced-trace', options: forcedTraceOptions, stage: 'policy', leavesOne: true })
export class ForcedTrace extends Processor<typeof forcedTraceOptions> {
  readonly #masks = new MaskKeeper(OWNER);
  /** V for which the ids were checked. */
  #checkedFor = 0;

  override get active(): boolean {
    return this.options.trace.length > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const { trace } = this.options;
    const { vocabSize } = candidates;
    if (vocabSize !== this.#checkedFor) checkWithin(trace, vocabSize, OWNER, 'trace');
    this.#checkedFor = vocabSize;
    const t = history.output.length;
    const id = trace[t];
    if (id === undefined) return;
    const domain = 'one of the kept ids when its turn comes';
    this.#masks.keep(candidates, { allow: [id] }, () => new NothingLeftError(OWNER, `trace[${t}]`, domain, id));
  }
}
