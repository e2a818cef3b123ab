/**
 * Standard input, whole: where a command's prompt or logits come from when they are piped.
 */
import { buffer } from 'node:stream/consumers';
import { InvalidValueError } from '../errors.js';

const PATIENCE_MS = 1000;

/** Whether it is a terminal, so that a read would wait for typing. */
export function isTyped(): boolean {
  return process.stdin.isTTY === true;
}

/** Its bytes up to the end. When nothing has come for a second, `waitingFor` says on standard error what is awaited. */
export async function readStandardInput(waitingFor: string): Promise<Uint8Array> {
  const timer = setTimeout(() => process.stderr.write(`[${waitingFor}]\n`), PATIENCE_MS);
  const isHere = () => clearTimeout(timer);
  process.stdin.once('readable', isHere);
  try {
    return await buffer(process.stdin);
  } catch (error) {
    throw new InvalidValueError('lockstep', 'standard input', 'readable', (error as NodeJS.ErrnoException).code);
  } finally {
    isHere();
  }
}
