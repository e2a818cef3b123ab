/** Exact numerics that count the rows of arrays made with them: what is lent again is not made anew. */
import { ContainerModule } from 'inversify';
import { PARTS } from '../../src/container/index.js';
import { exactNumerics, type Numerics } from '../../src/numerics/index.js';

export interface Counted {
  readonly numerics: Numerics;
  /** Rows of arrays made so far. */
  readonly made: number;
}

export function countingNumerics(): Counted {
  let made = 0;
  const rowKernel = (length: number) => {
    made++;
    return exactNumerics.rowKernel(length);
  };
  return {
    numerics: { ...exactNumerics, rowKernel },
    get made() {
      return made;
    },
  };
}

/** A module that binds `numerics`. */
export function withNumerics(numerics: Numerics): ContainerModule {
  return new ContainerModule(({ rebind }) => {
    rebind(PARTS.numerics).toConstantValue(numerics);
  });
}
