/**
 * A file's bytes, by URL.
 */
import { InvalidValueError } from '../errors.js';
import { dataUrlBytes } from './data-url.js';

/** In a variable, so that bundlers for browsers do not look for it. */
const FILE_SYSTEM = 'node:fs/promises';

/**
 * The file at `url`: from the file system where that is a `file:` URL, from the URL itself where that is a `data:` one,
 * fetched otherwise.
 * Throws InvalidValueError in the name of `owner` and the file's `name`, with what went wrong as `cause`, when it cannot
 * be read; `hint` says what else the caller can do.
 */
export async function readBytes(url: URL, name: string, owner: string, hint = ''): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await bytesAt(url);
  } catch (cause) {
    throw unreadable(owner, name, `readable at ${url.href}${hint}`, cause);
  }
}

/** The refusal of a file, with its cause. */
export function unreadable(owner: string, name: string, domain: string, cause: unknown): InvalidValueError {
  const error = new InvalidValueError(owner, name, domain, cause instanceof Error ? cause.message : cause);
  error.cause = cause;
  return error;
}

async function bytesAt(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (url.protocol === 'file:') return readLocal(url);
  if (url.protocol === 'data:') return dataUrlBytes(url);
  return responseBytes(await fetch(url));
}

/** What a server sent. Throws where it is not the file: another status, or a page that says so. */
export async function responseBytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  if (/\btext\/html\b/.test(response.headers.get('content-type') ?? '')) {
    throw new Error('an HTML page, which servers send for what they do not have');
  }
  return new Uint8Array(await response.arrayBuffer());
}

async function readLocal(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const files: typeof import('node:fs/promises') = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ FILE_SYSTEM
  );
  return files.readFile(url);
}
