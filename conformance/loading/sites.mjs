/**
 * The pages that load the engine of the grammars, each under a strict content security policy.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../engine.mjs';
import { importMap, ownEntries } from '../import-map.mjs';
import { importMapElement, packageFile, TYPES } from '../server.mjs';

const OWN = /^\/app\/[\w-]+\.mjs$/;
const WASM = "'wasm-unsafe-eval'";
const ENGINE = join(ROOT, 'dist/src/grammar/engine/engine.wasm');

/** Where every server has the engine as well, for those who say where it is. */
export const GIVEN = '/given/engine.wasm';

/** Nothing but what the page's own server sends: neither `eval` nor `data:` nor code in the page. */
function policy(...scripts) {
  const directives = [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "connect-src 'self'",
    "worker-src 'self'",
    "img-src 'self'", // Firefox asks for an icon of its own accord
    'report-uri /report',
  ];
  return { 'content-security-policy': directives.join('; ') };
}

/** As a bundler writes the page and its worker: what reads its files. */
async function bundle(project) {
  const outDir = join(project, 'bundle');
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(project, 'app'),
    build: { outDir, emptyOutDir: true, target: 'es2022' },
    worker: { format: 'es' },
  });
  return (path) => readFile(join(outDir, path));
}

/** The files as they are, found by an import map, whose hash the policy has. Workers have no import maps. */
function unbundled(project) {
  const element = importMapElement({ imports: { ...importMap().imports, ...ownEntries() } });
  const hash = createHash('sha256')
    .update(element.replace(/<[^>]*>/g, ''))
    .digest('base64');
  return {
    page: `<!doctype html><html lang="en" data-worker="none">${element}<script type="module" src="/app/page.mjs"></script>`,
    read: (path) => (OWN.test(path) ? readFile(join(project, path)) : packageFile(path)),
    headers: policy(WASM, `'sha256-${hash}'`),
  };
}

/**
 * The sites by name, for the programs in the folder `project`; `isAllowed` says whether the policy lets WebAssembly run.
 *
 * @returns {Promise<{ name: string, isAllowed: boolean, site: import('../server.mjs').Site }[]>}
 */
export async function makeSites(project) {
  const read = await bundle(project);
  const page = await read('index.html');
  const { '.wasm': _, ...typesWithoutWasm } = TYPES;
  const nosniff = { 'x-content-type-options': 'nosniff' };
  return [
    { name: 'bundled by Vite', isAllowed: true, site: { page, read, headers: policy(WASM) } },
    {
      name: 'from a server that does not know the type of .wasm',
      isAllowed: true,
      site: { page, read, headers: { ...policy(WASM), ...nosniff }, types: typesWithoutWasm },
    },
    { name: 'by an import map', isAllowed: true, site: unbundled(project) },
    { name: `without ${WASM}`, isAllowed: false, site: { page, read, headers: policy() } },
  ].map(({ site, ...rest }) => ({ ...rest, site: withEngine(site) }));
}

/** With the engine at `GIVEN`, whatever else there is. */
export function withEngine({ read, ...site } = {}) {
  return { ...site, read: (path) => (path === GIVEN ? readFile(ENGINE) : read(path)) };
}
