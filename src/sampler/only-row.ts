/**
 * The logits of a token that is known without them: 0 for its id, -Infinity for all others.
 *
 * One row a thread serves all requests: its users are synchronous, and copy what they need before they return.
 */
let row = new Float32Array(0);

/** What `use` makes of the row for `id` of `vocabSize` ids. */
export function withOnlyRow<T>(id: number, vocabSize: number, use: (logits: Float32Array) => T): T {
  if (row.length !== vocabSize) row = new Float32Array(vocabSize).fill(-Infinity);
  const mine = row; // a step may sample for another request meanwhile
  mine[id] = 0;
  try {
    return use(mine);
  } finally {
    mine[id] = -Infinity;
  }
}
