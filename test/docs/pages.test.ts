/**
 * The pages name what exists: every section that the source cites, every file and heading that a page links to.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf, linksOf, type Page, pagesOf, ROOT } from './markdown.js';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs'].flatMap(pagesOf);
const SOURCES = ['src', 'processors', 'test', 'assembly', 'tools', 'bench', 'fixtures', 'examples'].flatMap(filesOf);

interface Source {
  readonly path: string;
  readonly text: string;
}

function filesOf(folder: string): Source[] {
  const names = readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(?:ts|mjs|py|rs)$/.test(name) && !name.includes('node_modules'))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => !path.startsWith('test/docs/'))
    .map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }));
}

/** A page that is cited, and what stands behind it: `, "Masks"` or `, steps 2 to 8`. */
const CITATION = /([\w./-]*\/)?\b([A-Z][A-Z-]+)\.md(?:, (?:"([^"]+)"|steps? (\d+)(?: (?:and|to) (\d+))?))?/g;

/** What is wrong with the citations of a source, as sentences. */
function wrongIn({ path, text }: Source): string[] {
  const joined = text.replace(/\n\s*(?:\*|\/\/|#) */g, ' '); // a citation may go on in the next line of a comment
  return [...joined.matchAll(CITATION)].flatMap(([whole, folder, name, section, first, last]) => {
    if (!['SPEC', 'EXACT-MATH', 'ARCHITECTURE'].includes(name as string)) return [];
    const page = PAGES.find((one) => one.path === `docs/${name}.md`);
    if (!folder?.endsWith('docs/') || page === undefined) return [`${path}: ${whole} is not in docs/`];
    const sections = section !== undefined ? [section] : stepsOf(first, last);
    if (sections.length === 0) return name === 'ARCHITECTURE' ? [] : [`${path}: ${whole} names no section`];
    return sections.filter((one) => !isIn(page, one)).map((one) => `${path}: ${whole} has no section ${one}`);
  });
}

function stepsOf(first: string | undefined, last = first): string[] {
  if (first === undefined) return [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => `Step ${Number(first) + i}:`);
}

/** Whether a page has a heading, or one that begins so where a step is cited. */
function isIn(page: Page, section: string): boolean {
  return page.headings.some((heading) => (section.endsWith(':') ? heading.startsWith(section) : heading === section));
}

describe('the sections that the source cites', () => {
  it('exist', () => {
    expect(SOURCES.flatMap(wrongIn)).toEqual([]);
  });

  it('are those of the spec and of the exact functions', () => {
    const cited = SOURCES.filter(({ text }) => /\bdocs\/SPEC\.md/.test(text)).map(({ path }) => path);
    expect(cited.length).toBeGreaterThanOrEqual(24);
    expect(cited).toContain('processors/filters/top-p.ts');
    const math = SOURCES.filter(({ text }) => /\bdocs\/EXACT-MATH\.md/.test(text)).map(({ path }) => path);
    expect(math).toContain('src/numerics/exp.ts');
  });

  it.each([
    ['docs/SPEC.md, step 12', 'a step that there is not'],
    ['docs/SPEC.md, steps 10 to 12', 'steps of which one is not there'],
    ['docs/SPEC.md, "Nowhere"', 'a section that there is not'],
    ['docs/SPEC.md', 'a page without a section'],
    ['SPEC.md, "Masks"', 'a page without its folder'],
    ['docs/EXACT-MATH.md,\n * "No such section"', 'one that goes on in the next line'],
  ])('are missed by this test where they do not: %j, %s', (text) => {
    expect(wrongIn({ path: 'a.ts', text: `/**\n * Source: ${text}\n */` })).toHaveLength(1);
  });
});

describe('the links of', () => {
  it.each(PAGES.map((page) => [page.path, page] as const))('%s lead to files and headings that exist', (_, page) => {
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });
});

function leadsSomewhere(page: Page, link: string): boolean {
  const [file, anchor] = link.split('#') as [string, string | undefined];
  const path = file === '' ? page.path : posix.normalize(posix.join(posix.dirname(page.path), file));
  if (!existsSync(`${ROOT}/${path}`)) return false;
  if (anchor === undefined || !path.endsWith('.md')) return true;
  const target = PAGES.find((one) => one.path === path) ?? (pagesOf(path)[0] as Page);
  return target.headings.some((heading) => anchorOf(heading) === anchor);
}
