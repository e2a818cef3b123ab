/**
 * Candidates of which one is the beginning of another, as one.
 */

export interface MergedCandidate {
  readonly id: number;
  /** Its probability, with that of the candidates that were merged into it. */
  q: number;
  readonly bytes: Uint8Array;
}

/**
 * What is left of `ranked`, in its order: where the bytes of one begin those of another, the likelier gets the q of both, of
 * equal ones that with the beginning, and the other goes. No bytes begin nothing. Pairs by rank, the first going through all.
 */
export function mergePrefixes(ranked: readonly MergedCandidate[]): MergedCandidate[] {
  const left = ranked.map((one) => ({ ...one }));
  const gone = new Set<MergedCandidate>();
  for (const start of left) {
    for (const other of left) {
      if (gone.has(start)) break;
      if (other === start || gone.has(other) || !begins(start.bytes, other.bytes)) continue;
      const [to, from] = other.q > start.q ? [other, start] : [start, other];
      to.q += from.q;
      gone.add(from);
    }
  }
  return left.filter((one) => !gone.has(one));
}

function begins(start: Uint8Array, bytes: Uint8Array): boolean {
  if (start.length === 0 || start.length > bytes.length) return false;
  for (let i = 0; i < start.length; i++) if (start[i] !== bytes[i]) return false;
  return true;
}
