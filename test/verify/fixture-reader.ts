/**
 * The fixtures that verify reads, as they are or changed.
 */
import { readFile } from 'node:fs/promises';

export type Json = null | string | number | boolean | Json[] | { [name: string]: Json };

export const FIXTURES = new URL('../../fixtures/', import.meta.url);

/** Gives the files as they are, but `path` as `change` leaves it. */
export function changed(path: string, change: (content: Json) => void): (path: string) => Promise<Uint8Array> {
  return async (asked) => {
    const bytes = await readFile(new URL(asked, FIXTURES));
    if (asked !== path) return bytes;
    const content = JSON.parse(new TextDecoder().decode(bytes)) as Json;
    change(content);
    return new TextEncoder().encode(JSON.stringify(content));
  };
}

/** Puts `value` at the end of the way of names and indices in `content`; what stood there. */
export function put(content: Json, way: readonly (string | number)[], value: Json): Json {
  const last = way.at(-1) as string;
  let at = content as { [name: string]: Json };
  for (const name of way.slice(0, -1)) at = at[name] as { [name: string]: Json };
  const before = at[last];
  if (before === undefined) throw new Error(`nothing at ${way.join(', ')}`);
  at[last] = value;
  return before;
}
