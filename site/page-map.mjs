/**
 * Which pages of the repository are on the site, and where.
 */
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';

export const ROOT = new URL('..', import.meta.url);

/** From the path in the repository to that on the site. */
export function pageMap() {
  const docs = readdirSync(new URL('docs', ROOT), { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => [`docs/${name}`, name === 'README.md' ? 'overview.md' : name]);
  const top = ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].map((name) => [name, name]);
  return new Map([['README.md', 'index.md'], ...top, ...docs]);
}

/** `text` of the page at `from`, its links led to the pages of the site; one that leads to another file becomes plain text. */
export function withSiteLinks(text, from, map) {
  const parts = text.split(/(^```[\s\S]*?^```)/m);
  return parts
    .map((part) => (part.startsWith('```') ? part : part.replace(LINK, (...found) => led(found, from, map))))
    .join('');
}

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

function led([whole, image, label, target], from, map) {
  if (image !== '' || /^[a-z]+:/.test(target) || target.startsWith('#')) return whole;
  const [path, anchor] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(from), path));
  const page = map.get(file);
  if (page === undefined) return label;
  const link = posix.relative(posix.dirname(map.get(from)), page);
  const dotted = link.startsWith('.') ? link : `./${link}`;
  return `[${label}](${dotted}${anchor === undefined ? '' : `#${anchor}`})`;
}
