/**
 * Counts what is read of long arrays by the methods of arrays and by spreading them.
 */

const WHOLE = ['map', 'filter', 'forEach', 'reduce', 'join', 'concat', 'flatMap', 'entries', 'some', 'every'] as const;
const FOUND = ['includes', 'indexOf', 'find', 'findIndex', 'values', 'keys'] as const;
const METHODS = [...WHOLE, ...FOUND, 'slice', Symbol.iterator] as const;

type Method = (this: unknown[], ...rest: unknown[]) => unknown;

/** How many elements of arrays of at least `least` elements are read while `work` runs, at most. */
export async function longReads(least: number, work: () => PromiseLike<unknown>): Promise<number> {
  const prototype = Array.prototype as unknown as Record<string | symbol, Method>;
  const real = METHODS.map((name) => prototype[name] as Method);
  let count = 0;
  for (const [i, name] of METHODS.entries()) {
    const method = real[i] as Method;
    prototype[name] = function counted(...rest) {
      const result = Reflect.apply(method, this, rest);
      if (this.length >= least) count += name === 'slice' ? (result as unknown[]).length : this.length;
      return result;
    };
  }
  try {
    await work();
  } finally {
    for (const [i, name] of METHODS.entries()) prototype[name] = real[i] as Method;
  }
  return count;
}
