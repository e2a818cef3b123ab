/**
 * The project's pages, read: their headings, their links and their fenced blocks.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A page, with its path from the root. */
export interface Page {
  readonly path: string;
  readonly text: string;
  /** As they stand, without the marks of Markdown. */
  readonly headings: readonly string[];
}

/** The pages of a folder and below, or one page. */
export function pagesOf(path: string): Page[] {
  if (path.endsWith('.md')) return [readPage(path)];
  const names = readdirSync(`${ROOT}/${path}`, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => readPage(posix.join(path, name.replaceAll('\\', '/'))));
}

function readPage(path: string): Page {
  const text = readFileSync(`${ROOT}/${path}`, 'utf8');
  const headings = [...withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *$/gm)].map((match) => plain(match[1] as string));
  return { path, text, headings };
}

/** The text with its fenced blocks taken out: a `#` in them is no heading, and `[a](b)` no link. */
export function withoutBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}

/** Without code marks, stars and the address of a link. */
function plain(heading: string): string {
  return heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The targets of the links in a page, without those to other sites. */
export function linksOf(page: Page): string[] {
  const found = withoutBlocks(page.text).matchAll(/\]\(([^)\s]+)\)/g);
  return [...found].map((match) => match[1] as string).filter((link) => !/^[a-z]+:/.test(link));
}
