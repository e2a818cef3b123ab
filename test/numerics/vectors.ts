/** The committed vectors: lines of doubles as 16 hexadecimal digits. */
import { readFileSync } from 'node:fs';
import { fromHex } from '../support/bits.js';

const folder = new URL('../../fixtures/vectors/', import.meta.url);

/** The rows of `name`, comments left out. */
export function vectors(name: string): number[][] {
  const lines = readFileSync(new URL(name, folder), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' ').map(fromHex));
}

/** The lines of `hard-inputs.txt` for one function: inputs that show a slip in evaluating the formulas. */
export function hardInputs(name: string): number[][] {
  const lines = readFileSync(new URL('hard-inputs.txt', folder), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ').slice(1).map(fromHex));
}

/** The rows for which `f` gives other bits than the last column says, shown as text, at most ten. */
export function differing(rows: readonly number[][], f: (...inputs: number[]) => number, outputs = 1): string[] {
  const wrong: string[] = [];
  for (const row of rows) {
    const inputs = row.slice(0, row.length - outputs);
    const expected = row[row.length - outputs] as number;
    const got = f(...inputs);
    if (!Object.is(got, expected) && wrong.length < 10) wrong.push(`(${inputs.join(', ')}): ${got}, not ${expected}`);
  }
  return wrong;
}
