/**
 * Draws that the recipes of the inputs are made of. Only + - * and /, so that the inputs are the same everywhere.
 */
import { powerOfTwo } from '../numerics/bits.js';
import type { Pcg32 } from '../random/pcg32.js';

/** The seed of every recipe; each input list has a sequence of its own. */
export const RECIPE_SEED = 20261129;

/** One of `items`. */
export function pick<T>(random: Pcg32, items: readonly T[]): T {
  return items[random.below(items.length)] as T;
}

/** (1 + u) * 2^exponent: uniform between two powers of two. */
export function between(random: Pcg32, exponent: number): number {
  return (1 + random.uniform()) * powerOfTwo(exponent);
}

/** -1 or 1. */
export function sign(random: Pcg32): number {
  return random.below(2) === 0 ? -1 : 1;
}

/** x moved by up to `steps` units of about its last place. */
export function nudged(random: Pcg32, x: number, steps: number): number {
  return x * (1 + (random.below(2 * steps + 1) - steps) * powerOfTwo(-52));
}

/** Nearly a standard normal: four uniforms, shifted and stretched to variance 1. */
export function roughNormal(random: Pcg32): number {
  return 1.7320508 * (random.uniform() + random.uniform() + random.uniform() + random.uniform() - 2);
}
