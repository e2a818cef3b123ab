/**
 * A file's bytes, by URL.
 */
import { InvalidValueError } from '../errors.js';

/** In a variable, so that bundlers for browsers do not look for it. */
const FILE_SYSTEM = 'node:fs/promises';

/**
 * The file `name` in the folder `base`: from the file system where that is a `file:` URL, fetched otherwise.
 * Throws InvalidValueError in the name of `owner`, with what went wrong as `cause`, when it cannot be read.
 */
export async function readBytes(base: URL, name: string, owner: string): Promise<Uint8Array> {
  const url = new URL(name, base);
  try {
    return url.protocol === 'file:' ? await readLocal(url) : await fetchBytes(url);
  } catch (cause) {
    const error = new InvalidValueError(
      owner,
      name,
      `readable at ${url.href}`,
      cause instanceof Error ? cause.message : cause,
    );
    error.cause = cause;
    throw error;
  }
}

async function readLocal(url: URL): Promise<Uint8Array> {
  const files: typeof import('node:fs/promises') = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ FILE_SYSTEM
  );
  return files.readFile(url);
}

async function fetchBytes(url: URL): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
