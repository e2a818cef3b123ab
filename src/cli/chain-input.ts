/**
 * A chain of the user's own on the command line: JSON, or a file that holds it.
 */
import { readFile } from 'node:fs/promises';
import type { ChainData } from '../chain/chain-data.js';
import { InvalidValueError } from '../errors.js';

/** The chain that `text` is, or that the file `text` holds. */
export async function readChain(text: string): Promise<ChainData> {
  const json = text.trimStart().startsWith('[') ? text : await readText(text);
  try {
    return JSON.parse(json) as ChainData;
  } catch {
    throw new InvalidValueError('lockstep', 'chain', 'a JSON array of steps, or a file with one', text);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new InvalidValueError('lockstep', 'chain', 'a JSON array of steps, or a readable file with one', path);
  }
}
