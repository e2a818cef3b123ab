/**
 * Serves the built package to a browser on this machine: an empty page with an import map, and the files it leads to.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { ROOT } from './engine.mjs';
import { importMap } from './import-map.mjs';

const SERVED = /^\/(dist|fixtures|node_modules)\/[\w@.+/-]+$/;
const TYPES = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** On a free port; the address of the page, and how to stop. */
export async function startServer() {
  const page = `<!doctype html><script type="importmap">${JSON.stringify(importMap())}</script>`;
  const server = createServer((request, response) => answer(request, response, page));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function answer(request, response, page) {
  const { pathname } = new URL(request.url, 'http://127.0.0.1'); // without any ..
  if (pathname === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  try {
    if (!SERVED.test(pathname)) throw new Error('not served');
    const content = await readFile(join(ROOT, pathname));
    const type = TYPES[extname(pathname)] ?? 'application/octet-stream';
    return response.writeHead(200, { 'content-type': type }).end(content);
  } catch {
    return response.writeHead(404).end();
  }
}
