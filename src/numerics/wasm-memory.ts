/**
 * The memory of a WebAssembly kernel: tables, then the addresses of the arrays, then the arrays. assembly/layout.ts has the
 * same places.
 */
import { BOUNDS, stepTable } from './certified/below.js';
import { EXP_HEADS, EXP_TAILS } from './exp-table.js';
import { BLOCK, blocksOf, type RowArrays } from './row.js';

const STEPS_AT = 2048;
const STEPS = BOUNDS.steps;
const ROW_AT = 18432;
const SINGLES_AT = 18496;
const SAID_AT = 18560;
/** In front of it lie the constants of both modules. */
const ARRAYS_AT = 20160;
const PAGE = 65536;

export interface KernelMemory {
  readonly memory: WebAssembly.Memory;
  readonly arrays: RowArrays;
  /** f32[12]: the constants of exps in float32 arithmetic. */
  readonly singles: Float32Array;
  /** f64[2]: what a pass says beside its result. */
  readonly said: Float64Array;
  /** i32[15]: the number of blocks, and the addresses of the arrays. */
  readonly row: Int32Array;
}

/** A memory for V ids, nothing in its arrays. */
export function makeMemory(length: number): KernelMemory {
  const starts: number[] = [];
  const end = lengthsOf(length).reduce((at, elements) => {
    starts.push(at);
    return at + Math.ceil(elements / 16) * 64; // each on a multiple of 64 bytes
  }, ARRAYS_AT);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE) });
  fillTables(memory.buffer);
  const arrays = arraysIn(memory.buffer, starts, length);
  const row = new Int32Array(memory.buffer, ROW_AT, 15);
  const made = {
    memory,
    arrays,
    singles: new Float32Array(memory.buffer, SINGLES_AT, 12),
    said: new Float64Array(memory.buffer, SAID_AT, 2),
    row,
  };
  writeRow(made);
  return made;
}

/** Tells the passes where the arrays are. */
export function writeRow({ row, arrays }: KernelMemory): void {
  row[0] = arrays.blockMax.length;
  row[1] = arrays.copy.byteOffset;
  row[2] = arrays.blockMax.byteOffset;
  row[3] = arrays.incoming.byteOffset;
  row[4] = arrays.incomingMax.byteOffset;
  row[5] = arrays.exps.byteOffset;
  row[6] = arrays.before.byteOffset;
  row[7] = arrays.masses.byteOffset;
  row[8] = arrays.heads.byteOffset;
  row[9] = arrays.next.byteOffset;
  row[10] = arrays.editIds.byteOffset;
  row[11] = arrays.editValues.byteOffset;
  row[12] = arrays.ids.byteOffset;
  row[13] = arrays.listLogits.byteOffset;
  row[14] = arrays.listMasses.byteOffset;
}

/** The arrays in the order of `arraysIn`, in elements of 4 bytes. */
function lengthsOf(length: number): number[] {
  const blocks = blocksOf(length);
  const padded = blocks * BLOCK;
  const ofIds = [padded, padded, 2 * padded, padded, padded, 2 * padded, padded, 2 * padded, 2 * padded];
  return [...ofIds, blocks, blocks, 2 * (blocks + 1), 2 * blocks, blocks];
}

function arraysIn(buffer: ArrayBuffer, starts: readonly number[], length: number): RowArrays {
  const blocks = blocksOf(length);
  const padded = blocks * BLOCK;
  const at = (index: number) => starts[index] as number;
  return {
    incoming: new Float32Array(buffer, at(0), padded).fill(-Infinity),
    copy: new Float32Array(buffer, at(1), padded).fill(-Infinity),
    exps: new Float64Array(buffer, at(2), padded),
    next: new Int32Array(buffer, at(3), padded),
    editIds: new Int32Array(buffer, at(4), padded),
    editValues: new Float64Array(buffer, at(5), padded),
    ids: new Int32Array(buffer, at(6), padded),
    listLogits: new Float64Array(buffer, at(7), padded),
    listMasses: new Float64Array(buffer, at(8), padded),
    blockMax: new Float32Array(buffer, at(9), blocks),
    incomingMax: new Float32Array(buffer, at(10), blocks),
    before: new Float64Array(buffer, at(11), blocks + 1),
    masses: new Float64Array(buffer, at(12), blocks),
    heads: new Int32Array(buffer, at(13), blocks),
  };
}

/**
 * The pairs of the exp; and the steps of the approximation, whose bits are made smaller by i << 41 at index i, so that adding
 * k << 41 gives the step of k with its exponent.
 */
function fillTables(buffer: ArrayBuffer): void {
  const pairs = new Float64Array(buffer, 0, 256);
  for (let k = 0; k < 128; k++) {
    pairs[2 * k] = EXP_TAILS[k] as number;
    pairs[2 * k + 1] = EXP_HEADS[k] as number;
  }
  new Float64Array(buffer, STEPS_AT, STEPS).set(stepTable());
  const words = new Int32Array(buffer, STEPS_AT, 2 * STEPS);
  for (let i = 0; i < STEPS; i++) words[2 * i + 1] = (words[2 * i + 1] as number) - (i << 9);
}
