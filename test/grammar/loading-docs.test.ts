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
const SNIPPETS = [...SECTION.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => plain(code as string));

describe('the section on loading of docs/grammars.md', () => {
  it('shows five ways', () => {
    expect(SNIPPETS).toHaveLength(5);
  });

  it.each(SNIPPETS)('shows what conformance runs: %s', (code) => {
    expect(plain(read('conformance/loading/app/ways.mjs'))).toContain(code);
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
