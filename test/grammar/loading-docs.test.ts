/**
 * What docs/grammars.md shows of loading the engine is code that runs, in every engine, by npm run conformance:loading.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const plain = (code: string) => code.replace(/\s+/g, ' ').trim();

const SECTION =
  read('docs/grammars.md')
    .split(/^## /m)
    .find((part) => part.startsWith('Loading the engine')) ?? '';
const SHOWN = /^<!-- run by (conformance\/loading\/app\/ways\.mjs) -->\n```js\n([\s\S]*?)^```/gm;
const SNIPPETS = [...SECTION.matchAll(SHOWN)].map(([, path, code]) => [plain(code as string), path as string] as const);

describe('the section on loading of docs/grammars.md', () => {
  it('shows three ways that need a server', () => {
    expect(SNIPPETS).toHaveLength(3);
  });

  it.each(SNIPPETS)('shows what conformance runs: %s', (code, path) => {
    expect(plain(read(path))).toContain(code);
  });

  it('shows the policy that the pages of conformance have', () => {
    const policy = /^```\n(default-src .*)\n```/m.exec(SECTION)?.[1]?.split('; ');
    const sites = read('conformance/loading/sites.mjs');
    for (const directive of policy as string[]) {
      if (!directive.startsWith('script-src')) expect(sites).toContain(directive);
    }
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
  });

  it('names the file as the package exports it', () => {
    const exported = JSON.parse(read('package.json')).exports['./grammar/engine.wasm'];
    expect(SECTION).toContain('`lockstep/grammar/engine.wasm`');
    expect(read('tools/copy-engine.mjs')).toContain(exported.replace('./dist/', ''));
  });
});
