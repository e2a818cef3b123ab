/**
 * Finds calls of functions whose results differ from engine to engine, by replacing them for the time of one call.
 *
 * `x ** y` cannot be seen this way. (`Math.sqrt` is exact everywhere.)
 */
const INEXACT = [
  ...['exp', 'expm1', 'log', 'log1p', 'log2', 'log10', 'pow', 'cbrt', 'hypot'],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2'],
  ...['sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'],
] as const;

/** Runs `act`, in which each of them throws; so does `Math.random`, which no seed repeats. */
export function withoutInexactMath<T>(act: () => T): T {
  const kept = [...INEXACT, 'random' as const].map((name) => [name, Math[name]] as const);
  const math = Math as unknown as Record<string, unknown>;
  try {
    for (const [name] of kept) {
      math[name] = () => {
        const instead = name === 'random' ? 'context.uniform(), and `draws` says how often' : 'context.numerics';
        throw new Error(`it called Math.${name}, whose result is not the same everywhere: use ${instead}`);
      };
    }
    return act();
  } finally {
    for (const [name, own] of kept) math[name] = own;
  }
}
