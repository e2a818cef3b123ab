/** The probability that two draws by `q` give the same id, summed from the first on. */
export function sumOfSquares(q: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < q.length; i++) sum += (q[i] as number) * (q[i] as number);
  return sum;
}
