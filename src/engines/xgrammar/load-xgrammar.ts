/**
 * Loads @mlc-ai/web-xgrammar, an optional peer, in Node, Bun, Deno and browsers.
 *
 * The package is a UMD bundle that calls itself an ES module, so Node cannot import it: its file is evaluated as CommonJS
 * here, a new instance each time. It is given a console of its own, which is where xgrammar says what is wrong with a
 * grammar, and no `process`: it needs nothing of Node, as its WebAssembly is part of it.
 * Elsewhere it is imported; there is one instance then, and the messages go to the page's console.
 */
import { InvalidValueError } from '../../errors.js';
import type { XGrammarModule } from './native.js';

const PACKAGE = '@mlc-ai/web-xgrammar';
/** In variables, so that bundlers for browsers do not look for them. */
const [MODULE, FILE_SYSTEM] = ['node:module', 'node:fs'];

export interface LoadedXGrammar {
  readonly module: XGrammarModule;
  /** What it wrote to its console since it was last asked; nothing where that cannot be known. */
  messages(): string[];
}

/** An instance of the library. Throws InvalidValueError when the package is not installed or is not the library. */
export async function loadXGrammar(given?: XGrammarModule): Promise<LoadedXGrammar> {
  if (given !== undefined) return { module: checkModule(given), messages: () => [] };
  return isNode() ? evaluate(await readPackage()) : { module: await importPackage(), messages: () => [] };
}

function isNode(): boolean {
  return typeof process === 'object' && typeof process.versions?.node === 'string';
}

interface PackageFile {
  readonly source: string;
  readonly path: string;
  readonly require: NodeJS.Require;
}

async function readPackage(): Promise<PackageFile> {
  const { createRequire }: typeof import('node:module') = await import(/* @vite-ignore */ MODULE as string);
  const files: typeof import('node:fs') = await import(/* @vite-ignore */ FILE_SYSTEM as string);
  const require = createRequire(import.meta.url);
  try {
    const path = require.resolve(PACKAGE);
    return { source: files.readFileSync(path, 'utf8'), path, require };
  } catch (cause) {
    throw missing(cause);
  }
}

function evaluate({ source, path, require }: PackageFile): LoadedXGrammar {
  const said: string[] = [];
  const listen = (...words: unknown[]) => void said.push(words.join(' '));
  const console = { log: listen, warn: listen, error: listen };
  const module: { exports: object } = { exports: {} };
  const names = ['require', 'module', 'exports', '__filename', '__dirname', 'console', 'process'];
  const folder = path.replace(/[\\/][^\\/]*$/, '');
  new Function(...names, source)(require, module, module.exports, path, folder, console, undefined);
  return { module: checkModule(module.exports), messages: () => said.splice(0) };
}

async function importPackage(): Promise<XGrammarModule> {
  try {
    const imported = await import(/* webpackIgnore: false */ '@mlc-ai/web-xgrammar' as string);
    const global = (globalThis as { xgrammar?: unknown }).xgrammar; // where the bundle puts itself without CommonJS
    return checkModule([imported, imported.default, global].find(isModule));
  } catch (cause) {
    if (cause instanceof InvalidValueError) throw cause;
    throw missing(cause);
  }
}

function isModule(value: unknown): value is XGrammarModule {
  const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = (value ?? {}) as Partial<XGrammarModule>;
  const makers = [
    GrammarCompiler?.createGrammarCompiler,
    GrammarMatcher?.createGrammarMatcher,
    TokenizerInfo?.createTokenizerInfo,
  ];
  return makers.every((make) => typeof make === 'function');
}

function checkModule(value: unknown): XGrammarModule {
  if (isModule(value)) return value;
  throw new InvalidValueError('createGrammars', 'module', `the module ${PACKAGE}`, value);
}

function missing(cause: unknown): InvalidValueError {
  const domain = `installed beside lockstep: npm install ${PACKAGE}@0.1.27`;
  const error = new InvalidValueError('createGrammars', PACKAGE, domain, 'none');
  error.cause = cause;
  return error;
}
