/** Whether the context `ids` ends with all of `sequence` but its last id. */
export function isBegun(sequence: readonly number[], ids: readonly number[]): boolean {
  const before = ids.length - (sequence.length - 1);
  if (before < 0) return false;
  for (let i = sequence.length - 2; i >= 0; i--) if (ids[before + i] !== sequence[i]) return false;
  return true;
}
