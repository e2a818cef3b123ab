/**
 * fixtures/watermarks/watermarks.json. Its README says what each part means.
 */
import { readFileSync } from 'node:fs';
import type { GreenListScore, SynthIdScore } from '../../../processors/index.js';

interface Reference {
  readonly table: string;
  readonly green: readonly { key: number; ratio: number; context: number[]; green: string }[];
  readonly synth: readonly {
    keys: number[];
    ngram_len: number;
    history: number;
    skip: boolean;
    ids: number[];
    rows: number[][];
    out: (string | null)[];
  }[];
  readonly scores: readonly {
    ids: number[];
    green: { key: number; ratio: number; width: number; score: GreenListScore };
    synth: { keys: number[]; ngram_len: number; history: number; score: SynthIdScore };
  }[];
}

const file = new URL('../../../fixtures/watermarks/watermarks.json', import.meta.url);
export const REFERENCE = JSON.parse(readFileSync(file, 'utf8')) as Reference;

/** Asserts nothing by itself: the numbers of `score`, to be compared up to the last digits. */
export function roundedScore(score: object): Record<string, number> {
  return Object.fromEntries(Object.entries(score).map(([name, x]) => [name, Number((x as number).toPrecision(12))]));
}
