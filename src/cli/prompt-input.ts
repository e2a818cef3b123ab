/**
 * The prompt of `generate`: its argument, or standard input.
 *
 * `-` reads standard input whatever it is. Without an argument it is read when something is piped there; a terminal is
 * not waited for, and the model begins by itself, as it does after nothing.
 */
import { InvalidValueError } from '../errors.js';
import { isTyped, readStandardInput } from './standard-input.js';

const WAITING = "reading the prompt from standard input; lockstep generate '' begins without one";

export async function readPrompt(argument: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== '-') return argument;
  if (argument === undefined && isTyped()) return '';
  return promptText(await readStandardInput(WAITING));
}

/** UTF-8 without the line break at its end, which `echo` puts there. */
function promptText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw new InvalidValueError('lockstep', 'prompt', 'UTF-8 text', `${bytes.length} other bytes`);
  }
}
