/**
 * Copies the pages of the repository to site/pages, where VitePress reads them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pageMap, ROOT, withSiteLinks } from './page-map.mjs';

/** Marks for the scripts that make a part of a page. */
const COMMENT = /^<!-- .* -->\n/gm;

const PAGES = new URL('pages/', import.meta.url);
const map = pageMap();
rmSync(PAGES, { recursive: true, force: true });
for (const [from, to] of map) {
  const target = new URL(to, PAGES);
  mkdirSync(new URL('.', target), { recursive: true });
  writeFileSync(target, withSiteLinks(readFileSync(new URL(from, ROOT), 'utf8'), from, map).replace(COMMENT, ''));
}
