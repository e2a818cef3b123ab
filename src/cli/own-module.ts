/**
 * `--module ./mine.mjs`: processors and parts of the user's own, in a module that exports a `container`.
 */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { Container } from 'inversify';
import { InvalidValueError } from '../errors.js';
import { containerOf } from '../request/module-container.js';

const OWNER = 'lockstep';
/** A scheme has at least two letters; one letter is a drive. */
const URL_LIKE = /^[a-z][a-z0-9+.-]+:/i;

export interface ModuleFlags {
  readonly module?: string;
}

/** Gives `command` the flag. */
export function addModuleFlag(command: Command): void {
  command.option(
    '--module <file>',
    'a JavaScript module that exports a `container`, with processors and parts of your own',
  );
}

/** The container of the module that the flags name; undefined where they name none. */
export async function ownContainer({ module }: ModuleFlags): Promise<Container | undefined> {
  if (module === undefined) return undefined;
  const url = URL_LIKE.test(module) ? module : pathToFileURL(resolve(module)).href;
  await checkFile(url, module);
  return containerOf(OWNER, await load(url, module), module);
}

async function checkFile(url: string, module: string): Promise<void> {
  if (url.startsWith('file:') && !(await isFile(url))) {
    throw new InvalidValueError(OWNER, 'module', 'a file that is there', module);
  }
}

async function isFile(url: string): Promise<boolean> {
  try {
    return (await stat(new URL(url))).isFile();
  } catch {
    return false;
  }
}

async function load(url: string, module: string): Promise<object> {
  try {
    return (await import(url)) as object;
  } catch (cause) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    const error = new InvalidValueError(OWNER, 'module', `a module that can be loaded (${reason})`, module);
    throw Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true });
  }
}
