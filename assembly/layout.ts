/**
 * Where things lie in the memory of a kernel; src/numerics/wasm-memory.ts lays out the same.
 *
 * The addresses of the arrays are written by the host, who gives them room behind what is fixed. One memory serves both
 * modules, the plain one and the one with relaxed SIMD.
 */

/** Entries in a block. */
export const BLOCK: i32 = 64;

/** The 128 pairs (T, H) of the exp. */
export const PAIRS: usize = 0;
/** The 2,048 steps of the approximation from below. */
export const STEPS: usize = 2048;
/** Addresses of the arrays, i32 each. */
const ROW: usize = 18432;
/** The constants of the float32 masses, which the host sets for a row: f32[11]. */
export const SINGLES: usize = 18496;
/** What a pass says beside its result: f64[8]. */
export const SAID: usize = 18560;
/** One block of float64. */
export const BUFFER: usize = 18624;

/** Blocks in the row. */
// @ts-expect-error: decorator
@inline
export function blocksOfRow(): i32 {
  return load<i32>(ROW);
}

// @ts-expect-error: decorator
@inline
export function copyOfRow(): usize {
  return load<usize>(ROW, 4);
}

// @ts-expect-error: decorator
@inline
export function blockMaxOfRow(): usize {
  return load<usize>(ROW, 8);
}

// @ts-expect-error: decorator
@inline
export function incomingOfRow(): usize {
  return load<usize>(ROW, 12);
}

// @ts-expect-error: decorator
@inline
export function incomingMaxOfRow(): usize {
  return load<usize>(ROW, 16);
}

// @ts-expect-error: decorator
@inline
export function expsOfRow(): usize {
  return load<usize>(ROW, 20);
}

/** f64[blocks + 1]: the sum before each block. */
// @ts-expect-error: decorator
@inline
export function beforeOfRow(): usize {
  return load<usize>(ROW, 24);
}

/** f64[blocks]: about the mass of each block. */
// @ts-expect-error: decorator
@inline
export function massesOfRow(): usize {
  return load<usize>(ROW, 28);
}

// @ts-expect-error: decorator
@inline
export function headsOfRow(): usize {
  return load<usize>(ROW, 32);
}

// @ts-expect-error: decorator
@inline
export function nextOfRow(): usize {
  return load<usize>(ROW, 36);
}

// @ts-expect-error: decorator
@inline
export function editIdsOfRow(): usize {
  return load<usize>(ROW, 40);
}

// @ts-expect-error: decorator
@inline
export function editValuesOfRow(): usize {
  return load<usize>(ROW, 44);
}

// @ts-expect-error: decorator
@inline
export function idsOfRow(): usize {
  return load<usize>(ROW, 48);
}

/** f64[padded]: logits of a list of ids. */
// @ts-expect-error: decorator
@inline
export function listLogitsOfRow(): usize {
  return load<usize>(ROW, 52);
}

/** f64[padded]: about their exps. */
// @ts-expect-error: decorator
@inline
export function listMassesOfRow(): usize {
  return load<usize>(ROW, 56);
}
