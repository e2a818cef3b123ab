/** Small processors for tests of chains. */
import type { Candidates, JsonValue, LogitsProcessor, StepContext } from '../../processors/index.js';
import { SHIPPED } from '../../src/chain/registry.js';

/** The names of the processors that come with the package, in the order of the list. */
export const NAMES = SHIPPED.map(({ name }) => name);

/** Does nothing but write its name into `log`. */
export function note(name: string, log: string[], extra: Partial<LogitsProcessor> = {}): LogitsProcessor {
  return {
    name,
    process: () => {
      log.push(name);
    },
    ...extra,
  };
}

/** A step with a state: how many ids it was told of. It adds that number to the logit of id 0. */
export class Counter implements LogitsProcessor {
  readonly name = 'counter';
  readonly stage = 'scores';
  count = 0;

  process(candidates: Candidates): void {
    if (candidates.has(0)) candidates.setLogit(0, candidates.logit(0) + this.count);
  }

  accept(): void {
    this.count++;
  }

  save(): JsonValue {
    return { count: this.count };
  }

  restore(state: JsonValue): void {
    this.count = (state as { count: number }).count;
  }
}

/** Draws two uniforms a token and writes them into `drawn`. */
export function drawer(drawn: number[]): LogitsProcessor {
  return {
    name: 'drawer',
    draws: 2,
    process: (_: Candidates, context: StepContext) => {
      drawn.push(context.uniform(), context.uniform());
    },
  };
}
