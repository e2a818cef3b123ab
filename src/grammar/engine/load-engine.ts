/**
 * The engine's compiled module: from the package's own file, or from what the caller has, in Node, Bun, Deno, browsers and
 * workers.
 */
import { InvalidValueError } from '../../errors.js';
import { isInstance } from '../../kinds.js';
import { KNOWN_EXPORTS } from './exports.js';

/** In a variable, so that bundlers for browsers do not look for it. */
const FILE_SYSTEM = 'node:fs/promises';
const OWNER = 'createGrammars';
const DOMAIN = 'the engine of this version, engine.wasm, as a WebAssembly.Module or its bytes';

let packaged: Promise<WebAssembly.Module> | undefined;

/**
 * `given`, or the package's own, which is read and compiled once. Throws InvalidValueError for what is another module, and
 * where the file cannot be read: a bundler that does not copy it needs `given`.
 */
export async function loadEngine(given?: WebAssembly.Module | BufferSource): Promise<WebAssembly.Module> {
  if (given !== undefined) return checkEngine(await compileGiven(given));
  packaged ??= compilePackaged();
  try {
    return await packaged;
  } catch (cause) {
    packaged = undefined; // so that the next one tries again
    throw unreadable(cause);
  }
}

async function compileGiven(given: WebAssembly.Module | BufferSource): Promise<WebAssembly.Module> {
  if (isInstance(given, WebAssembly.Module)) return given;
  if (!(isInstance(given, ArrayBuffer) || ArrayBuffer.isView(given))) {
    throw new InvalidValueError(OWNER, 'module', DOMAIN, given);
  }
  try {
    return await WebAssembly.compile(given);
  } catch (cause) {
    const error = new InvalidValueError(OWNER, 'module', DOMAIN, given);
    error.cause = cause;
    throw error;
  }
}

function checkEngine(module: WebAssembly.Module): WebAssembly.Module {
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  const isEngine = WebAssembly.Module.imports(module).length === 0 && KNOWN_EXPORTS.every((name) => names.has(name));
  if (isEngine) return module;
  throw new InvalidValueError(OWNER, 'module', DOMAIN, `a module with the exports ${[...names].join(', ')}`);
}

async function compilePackaged(): Promise<WebAssembly.Module> {
  const url = new URL('./engine.wasm', import.meta.url); // literal: bundlers look for it
  if (url.protocol === 'file:') return WebAssembly.compile(await readLocal(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  const isStreamable = response.headers.get('content-type')?.startsWith('application/wasm') ?? false;
  return isStreamable ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

async function readLocal(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files: typeof import('node:fs/promises') = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ FILE_SYSTEM
  );
  return files.readFile(url);
}

function unreadable(cause: unknown): InvalidValueError {
  const reason = cause instanceof Error ? cause.message : cause;
  const error = new InvalidValueError(OWNER, 'module', 'given where the file engine.wasm cannot be read', reason);
  error.cause = cause;
  return error;
}
