/**
 * The site has every page, and its links lead to pages of it; the build of the site, which VitePress does, is not run here.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pageMap, withSiteLinks } from '../../site/page-map.mjs';
import { pagesOf, ROOT } from './markdown.js';

describe('the site', () => {
  const map = pageMap();

  it('has every page of the docs', () => {
    const docs = pagesOf('docs').map(({ path }) => path);
    expect([...map.keys()]).toEqual(expect.arrayContaining([...docs, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']));
    expect(new Set(map.values()).size).toBe(map.size);
  });

  it('has every guide in its menu', () => {
    const config = readFileSync(`${ROOT}/site/.vitepress/config.mjs`, 'utf8');
    const guides = [...map.values()].filter((page) => page.startsWith('guides/'));
    expect(guides.filter((page) => !config.includes(`'${page.slice('guides/'.length, -'.md'.length)}'`))).toEqual([]);
  });

  it.each([
    ['README.md', '[spec](docs/SPEC.md)', '[spec](./SPEC.md)', 'a page that moved'],
    ['README.md', '[table](docs/SPEC.md#draws)', '[table](./SPEC.md#draws)', 'with its heading'],
    ['docs/guides/decoding.md', '[spec](../SPEC.md)', '[spec](../SPEC.md)', 'from a folder'],
    ['docs/ARCHITECTURE.md', '[how](../CONTRIBUTING.md)', '[how](./CONTRIBUTING.md)', 'from a folder that is gone'],
    ['README.md', '[`x`](src/spec.ts)', '`x`', 'a file that is not on the site'],
    ['README.md', '[a](#speed) [b](https://example.org)', '[a](#speed) [b](https://example.org)', 'what stays'],
    ['README.md', '```js\na[0](src/b)\n```', '```js\na[0](src/b)\n```', 'a program'],
  ])('of %s leads %s to %s: %s', (from, text, expected) => {
    expect(withSiteLinks(text, from, map)).toBe(expected);
  });
});
