/**
 * Rows of three cells as text, within a width: a cell that is too long goes on below itself.
 */
export type Row = readonly [first: string, second: string, third: string];

const GAP = '  ';
const LEAST = 16;
const GLUE = '\u00a0';

/** `text` as one word: a line is not broken in it. */
export function glue(text: string): string {
  return text.replaceAll(' ', GLUE);
}

/** The table. No line is longer than `width` unless a single word is. */
export function textTable(rows: readonly Row[], width: number): string {
  const widths = columnWidths(rows, width);
  return rows
    .map((row) => rowLines(row, widths))
    .join('')
    .replaceAll(GLUE, ' ');
}

/** The first column as wide as it needs; the others share the rest, each at least what the other leaves. */
function columnWidths(rows: readonly Row[], width: number): readonly number[] {
  const needed = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const [first = 0, second = 0, third = 0] = needed;
  const rest = Math.max(2 * LEAST, width - first - 2 * GAP.length);
  const wide = Math.min(second, Math.max(Math.ceil(rest / 2), rest - third));
  return [first, wide, rest - wide];
}

function rowLines(row: Row, widths: readonly number[]): string {
  const cells = row.map((cell, column) => wrap(cell, widths[column] as number));
  const height = Math.max(...cells.map((lines) => lines.length));
  let text = '';
  for (let i = 0; i < height; i++) {
    const line = cells.map((lines, column) => (lines[i] ?? '').padEnd(column < 2 ? (widths[column] as number) : 0));
    text += `${line.join(GAP).trimEnd()}\n`;
  }
  return text;
}

/** `text` in lines of at most `width`, broken at spaces. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
