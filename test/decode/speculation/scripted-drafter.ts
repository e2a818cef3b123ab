import type { Drafter, DraftRequest, DraftSession, DraftToken } from '../../../src/decode/speculation/draft.js';

/** Proposes what a function of the history says; it records what it was told and how it was closed. */
export class ScriptedDrafter implements Drafter {
  readonly accepted: number[][] = [];
  readonly asked: number[] = [];
  closed = 0;

  /** @param draftAfter by the generated ids and the number of ids asked for */
  constructor(readonly draftAfter: (output: readonly number[], count: number) => readonly DraftToken[]) {}

  /** Deterministic drafts, one a block. */
  static blocks(blocks: readonly (readonly number[])[]): ScriptedDrafter {
    const left = [...blocks];
    return new ScriptedDrafter(() => (left.shift() ?? []).map((id) => ({ id })));
  }

  open(_: DraftRequest): DraftSession {
    const output: number[] = [];
    return {
      propose: (count) => {
        this.asked.push(count);
        return this.draftAfter(output, count);
      },
      accept: (ids) => {
        this.accepted.push([...ids]);
        output.push(...ids);
      },
      close: () => void this.closed++,
    };
  }
}
