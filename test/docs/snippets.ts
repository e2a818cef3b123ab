/**
 * The programs in a page: its fenced blocks of JavaScript and TypeScript, made into modules.
 *
 * A block stands alone, unless its fence says ```js continues: it then goes on where the block before it ended. A block that
 * another test runs, because it needs a browser or a bundler, has `<!-- run by test/… -->` in the line above it. A block
 * ```text prints right behind one says all that it writes; of one that continues, what it writes after the others.
 */
import { transformWithOxc } from 'vite';
import type { Page } from './markdown.js';

export interface Snippet {
  /** Where it stands: the page and the line of its fence. */
  readonly place: string;
  /** The whole module, in JavaScript. */
  readonly code: string;
  /** What it writes, where the page says so; of one that continues, at the end. */
  readonly prints?: string;
  readonly continues: boolean;
  /** The file that runs it instead. */
  readonly runBy?: string;
}

interface Block {
  readonly line: number;
  readonly language: string;
  readonly marks: string;
  readonly code: string;
  readonly above: string;
}

/** The programs of `page`, in its order. */
export async function snippetsOf(page: Page): Promise<Snippet[]> {
  const snippets: Snippet[] = [];
  let before = '';
  const blocks = blocksOf(page.text);
  for (const [i, block] of blocks.entries()) {
    if (!['js', 'ts'].includes(block.language)) continue;
    const place = `${page.path}:${block.line}`;
    if (!['', 'continues'].includes(block.marks)) throw new Error(`${place}: nobody knows the mark ${block.marks}`);
    const continues = block.marks === 'continues';
    const written = continues ? `${before}\n${block.code}` : block.code;
    before = written;
    const code = block.language === 'ts' ? await toJavaScript(place, written) : written;
    const runBy = /^<!-- run by (\S+) -->$/.exec(block.above)?.[1];
    const next = blocks[i + 1];
    const prints = next?.language === 'text' && next.marks === 'prints' ? next.code : undefined;
    snippets.push({
      place,
      code,
      continues,
      ...(runBy !== undefined && { runBy }),
      ...(prints !== undefined && { prints }),
    });
  }
  return snippets;
}

function blocksOf(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = /^```(\w*) ?(.*)$/.exec(lines[i] as string);
    if (fence === null) continue;
    const end = lines.indexOf('```', i + 1);
    if (end < 0) throw new Error(`line ${i + 1}: a block without an end`);
    const code = `${lines.slice(i + 1, end).join('\n')}\n`;
    blocks.push({ line: i + 1, language: fence[1] ?? '', marks: fence[2] ?? '', code, above: lines[i - 1] ?? '' });
    i = end;
  }
  return blocks;
}

/** What the transform would load from a package that is not here: decorators of a class. */
const DECORATE = 'const _decorate = (decorators, target) => decorators.reduceRight((t, d) => d(t) ?? t, target);';

async function toJavaScript(place: string, written: string): Promise<string> {
  const options = { decorator: { legacy: true }, target: 'es2022' } as const;
  const { code } = await transformWithOxc(written, `${place}.ts`, options);
  return code.replace(/^(?:var _decorate = require\(|import _decorate from ).*$/m, DECORATE);
}
