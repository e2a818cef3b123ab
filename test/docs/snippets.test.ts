/**
 * Every program in the pages runs as it stands, as a module against the built package, and writes what the page says.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseAst } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagesOf, ROOT } from './markdown.js';
import { type Snippet, snippetsOf } from './snippets.js';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs'].flatMap(pagesOf);
const SNIPPETS = (await Promise.all(PAGES.map(snippetsOf))).flat();
const RUN = SNIPPETS.filter(({ runBy }) => runBy === undefined);
/** In the project's folder, so that `lockstep` is the package itself. */
const FOLDER = `${ROOT}/reports/snippets-${process.pid}`;

interface Outcome {
  readonly output: string;
  readonly error?: string;
}

/** What came of modules with these texts, in their order. */
async function runAll(codes: readonly string[], name: string): Promise<Outcome[]> {
  const paths = codes.map((code, i) => {
    const path = `${FOLDER}/${name}-${i}.mjs`;
    writeFileSync(path, code);
    return path;
  });
  const args = [`${ROOT}/test/docs/run-modules.mjs`, ...paths];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 1 << 26 });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
}

beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe('the programs in the pages', () => {
  const outcomes = new Map<Snippet, Outcome>();
  beforeAll(async () => {
    const found = await runAll(
      RUN.map(({ code }) => code),
      'page',
    );
    RUN.forEach((snippet, i) => {
      outcomes.set(snippet, found[i] as Outcome);
    });
  }, 600_000);

  it('are found', () => {
    expect(RUN.filter(({ place }) => place.startsWith('README.md')).length).toBeGreaterThanOrEqual(3);
  });

  it.each(RUN.map((snippet) => [snippet.place, snippet] as const))('run as they stand: %s', (_, snippet) => {
    const { output, error } = outcomes.get(snippet) as Outcome;
    expect(error).toBeUndefined();
    const { prints = '', continues } = snippet;
    if (snippet.prints !== undefined) expect(continues ? output.slice(-prints.length) : output).toBe(prints);
  });

  it.each(SNIPPETS.filter(({ runBy }) => runBy !== undefined).map((snippet) => [snippet.place, snippet] as const))(
    'are JavaScript where another test runs them: %s',
    (_, { code, runBy }) => {
      expect(existsSync(`${ROOT}/${runBy}`)).toBe(true);
      expect(() => parseAst(code)).not.toThrow();
    },
  );
});

describe('a program', () => {
  it('fails where it fails, and what it wrote is known', async () => {
    const page = { path: 'page.md', headings: [], text: PAGE };
    const snippets = await snippetsOf(page);
    const [ok, continued, undefinedName, typed] = await runAll(
      snippets.map(({ code }) => code),
      'own',
    );
    expect(ok).toMatchObject({ output: '1\n' });
    expect(continued).toMatchObject({ output: '1\n2\n' });
    expect(undefinedName?.error).toContain('createSampler is not defined');
    expect(typed).toMatchObject({ output: 'v\n' });
    expect(snippets.map(({ prints }) => prints)).toEqual(['1\n', undefined, undefined, undefined]);
    expect(snippets.map(({ place }) => place)).toEqual(['page.md:1', 'page.md:9', 'page.md:12', 'page.md:15']);
  });

  it('with a mark that nobody knows is refused', async () => {
    const page = { path: 'page.md', headings: [], text: '```js sometimes\n1;\n```\n' };
    await expect(snippetsOf(page)).rejects.toThrow('sometimes');
  });
});

const PAGE = `\`\`\`js
const a = 1;
console.log(a);
\`\`\`

\`\`\`text prints
1
\`\`\`
\`\`\`js continues
console.log(a + 1);
\`\`\`
\`\`\`js
createSampler();
\`\`\`
\`\`\`ts
const mark = (target: new () => object) => console.log(target.name);
@mark
class v {}
void v;
\`\`\`
`;
