/** The pages of the processors say what the classes say. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkOptions } from '../../processors/check-options.js';
import { domainOf } from '../../processors/domain-of.js';
import { PROCESSORS, processorInfo } from '../../processors/index.js';
import { FOREIGN_NAMES } from '../../tools/processors/foreign-names.mjs';
import { commentsOf, partsOf, processorPages } from '../../tools/processors/pages.mjs';
import { ROOT } from './markdown.js';

const FOLDER = `${ROOT}/docs/processors`;
const INFOS = PROCESSORS.map(processorInfo);
const SOURCES = readdirSync(`${ROOT}/processors`, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`${ROOT}/processors/${name}`, 'utf8'));

describe('the pages of the processors', () => {
  it('are made from the classes: after a change of one, npm run build and node tools/processors/write.mjs', () => {
    const written = new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(`${FOLDER}/${file}`, 'utf8')]));
    const made = processorPages(INFOS, SOURCES, domainOf);
    expect([...written.keys()].sort()).toEqual([...made.keys()].sort());
    for (const [file, text] of made) expect(written.get(file), file).toBe(text);
  });

  it('are refused where a class has no comment, or one without a source', () => {
    expect(() => processorPages(INFOS, [], domainOf)).toThrow('has no comment before @processor');
    const comments = new Map([['a', 'A rule.\nExample: { "use": "a" }']]);
    expect(() => partsOf('a', comments)).toThrow('a does not say its rule, its source and an example');
  });

  it.each(INFOS.map((info) => [info.name, info] as const))('give valid options as the example of %s', (name, info) => {
    const { use, ...options } = JSON.parse(partsOf(name, commentsOf(SOURCES)).example);
    expect(use).toBe(name);
    expect(() => checkOptions(name, info.options, options)).not.toThrow();
  });
});

describe('a name of another system', () => {
  const index = readFileSync(`${FOLDER}/README.md`, 'utf8');

  it.each([
    ['MinPLogitsWarper', 'min-p'],
    ['repeat_last_n', 'recent-repetition'],
    ['typ_p', 'typical'],
  ])('finds ours: %s is %s', (there, ours) => {
    const row = index.split('\n').find((line) => line.startsWith(`| \`${there}\` |`));
    expect(row).toContain(`[${ours}](${ours}.md)`);
    expect(readFileSync(`${FOLDER}/${ours}.md`, 'utf8')).toContain(there);
  });

  it('stands once in the table, and leads to a processor that there is', () => {
    const theirs = FOREIGN_NAMES.map(([there]) => there);
    expect(new Set(theirs).size).toBe(theirs.length);
    const names = INFOS.map(({ name }) => name);
    for (const [there, , ours] of FOREIGN_NAMES) expect(names, there).toContain(ours);
  });
});
