/**
 * A server for a browser on this machine. By itself it serves the built package: an empty page with an import map, and the
 * files that it leads to.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { ROOT } from './engine.mjs';
import { importMap } from './import-map.mjs';

const SERVED = /^\/(dist|fixtures|node_modules)\/[\w@.+/-]+$/;
export const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/**
 * What a server gives and takes.
 *
 * @typedef {object} Site
 * @property {string} [page] the HTML at /
 * @property {(path: string) => Promise<Uint8Array>} [read] the file at a path; rejects where there is none
 * @property {Record<string, string>} [headers] of every answer
 * @property {Record<string, string>} [types] the type of a file by the end of its name
 * @property {(path: string, body: string) => void} [receive] what is posted
 */

/**
 * On a free port; the address of the page, and how to stop.
 *
 * @param {Site} site
 */
export async function startServer(site = {}) {
  const whole = { page: emptyPage(), read: packageFile, headers: {}, types: TYPES, ...site };
  const server = createServer((request, response) => answer(request, response, whole));
  server.keepAliveTimeout = 0; // never: a client may ask again at the moment at which it would be closed
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

/** The import map of the package's dependencies, as an element of a page. */
export function importMapElement(map = importMap()) {
  return `<script type="importmap">${JSON.stringify(map)}</script>`;
}

function emptyPage() {
  return `<!doctype html>${importMapElement()}`;
}

/** A file of the built package or its dependencies. */
export async function packageFile(path) {
  if (!SERVED.test(path)) throw new Error('not served');
  return readFile(join(ROOT, path));
}

async function answer(request, response, { page, read, headers, types, receive }) {
  const { pathname } = new URL(request.url, 'http://127.0.0.1'); // without any ..
  if (request.method === 'POST' && receive !== undefined) {
    receive(pathname, await textOf(request));
    return response.writeHead(204, headers).end();
  }
  if (pathname === '/') return response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(page);
  try {
    const content = await read(pathname);
    const type = types[extname(pathname)] ?? 'application/octet-stream';
    return response.writeHead(200, { ...headers, 'content-type': type }).end(content);
  } catch {
    return response.writeHead(404, headers).end();
  }
}

async function textOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
