/**
 * The guide's own programs and commands: what docs/guides/browser-and-bundlers.md shows is what is tried.
 */
import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/guides/browser-and-bundlers.md', import.meta.url);

/** The code of the first block in `language` under a heading of the third level whose text has `word` in it. */
export function blockOf(heading, language, word = '') {
  const [, section = ''] = readFileSync(PAGE, 'utf8').split(`\n### ${heading}\n`);
  const own = section.split(/\n##+ /)[0];
  const blocks = [...own.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const found = blocks.find(([, other, code]) => other === language && code.includes(word));
  if (found === undefined) throw new Error(`no ${language} of ${word || heading} in the guide, under ${heading}`);
  return found[2];
}
