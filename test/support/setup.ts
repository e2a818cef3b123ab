/**
 * Runs before every test file: the seed and the runs of the properties, and the matcher for refusals.
 *
 * FC_SEED is the seed of every property (default 20140), FC_RUNS how many cases each one tries (default 100). A property
 * that fails prints both, and the case.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { InvalidValueError } from '../../src/errors.js';

const seed = Number(process.env.FC_SEED ?? 20140);
const numRuns = Number(process.env.FC_RUNS ?? 100);
if (!Number.isSafeInteger(seed)) throw new Error(`FC_SEED must be an integer, got ${process.env.FC_SEED}`);
if (!(Number.isSafeInteger(numRuns) && numRuns >= 1)) {
  throw new Error(`FC_RUNS must be an integer >= 1, got ${process.env.FC_RUNS}`);
}
fc.configureGlobal({ seed, numRuns });

interface RefusalMatchers<R> {
  /** The function throws an InvalidValueError with exactly this message. */
  toRefuse(message: string): R;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the parameter list has to be that of vitest's own interface
  interface Matchers<T = any> extends RefusalMatchers<T> {}
}

expect.extend({
  toRefuse(call: () => unknown, message: string) {
    const thrown = thrownBy(call);
    const refused = thrown instanceof InvalidValueError;
    return {
      pass: refused && thrown.message === message,
      message: () => `expected${this.isNot ? ' not' : ''} the refusal\n  ${message}\nand ${describe(thrown)}`,
      actual: refused ? thrown.message : thrown,
      expected: message,
    };
  },
});

const NOTHING = Symbol('nothing thrown');

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return NOTHING;
}

function describe(thrown: unknown): string {
  if (thrown === NOTHING) return 'nothing was thrown';
  return thrown instanceof Error ? `got ${thrown.name}\n  ${thrown.message}` : `got ${String(thrown)}`;
}
