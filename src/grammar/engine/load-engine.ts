/**
 * The engine's compiled module: from the package's own file, or from what the caller has, in Node, Bun, Deno, browsers and
 * workers.
 */
import { InvalidValueError } from '../../errors.js';
import { packagedBytes } from '../../files/packaged-bytes.js';
import { readBytes, responseBytes, unreadable } from '../../files/read-bytes.js';
import { type Bytes, isBufferSource, isResponse, isUrl, isWebAssemblyModule, type WasmModule } from '../../kinds.js';
import { ENGINE_VERSION } from './engine-version.js';

/** Where the engine is taken from: compiled, as bytes, as the response of a server, or its URL. */
export type EngineSource = WasmModule | Bytes | Response | URL;

const OWNER = 'createGrammars';
const FILE = 'engine.wasm';
const DOMAIN = `the engine of this version, ${FILE}: a WebAssembly.Module, its bytes, a Response or a URL`;
const COMPILED = "compiled, which is not allowed here (a content security policy allows it by 'wasm-unsafe-eval')";
/** The shortest module: it holds nothing. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Where grammar-engine/stamp.mjs writes the version into the file. */
const VERSION_SECTION = 'version';

let packaged: Promise<WasmModule> | undefined;

/**
 * `given`, or the package's own, which is read and compiled once. Throws InvalidValueError for what is not this engine, and
 * where the file cannot be read (a bundler that does not copy it needs `given`) or no WebAssembly may run.
 */
export async function loadEngine(given?: EngineSource): Promise<WasmModule> {
  if (given !== undefined) return checkEngine(isWebAssemblyModule(given) ? given : await compile(await bytesOf(given)));
  packaged ??= compilePackaged();
  try {
    return await packaged;
  } catch (error) {
    packaged = undefined; // so that the next one tries again
    throw error;
  }
}

async function compilePackaged(): Promise<WasmModule> {
  const locate = () => new URL('./engine.wasm', import.meta.url); // literal: bundlers look for it
  return checkEngine(await compile(await packagedBytes(locate, FILE, OWNER, 'createGrammars({ module })')));
}

async function bytesOf(given: Exclude<EngineSource, WasmModule>): Promise<Bytes> {
  if (isBufferSource(given)) return given;
  if (isUrl(given)) return readBytes(given, 'module', OWNER);
  if (!isResponse(given)) throw new InvalidValueError(OWNER, 'module', DOMAIN, given);
  try {
    return await responseBytes(given);
  } catch (cause) {
    throw unreadable(OWNER, 'module', DOMAIN, cause);
  }
}

/** Never as a stream: for that a server has to know the type of the file, and not every one does. */
async function compile(bytes: Bytes): Promise<WasmModule> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw unreadable(OWNER, 'module', mayCompile() ? DOMAIN : COMPILED, cause);
  }
}

function mayCompile(): boolean {
  try {
    return new WebAssembly.Module(EMPTY) !== undefined;
  } catch {
    return false;
  }
}

/** Another version's masks may be others, and what it exports; a server may have an old one. */
function checkEngine(module: WasmModule): WasmModule {
  const version = versionOf(module);
  if (version === ENGINE_VERSION) return module;
  throw new InvalidValueError(OWNER, 'module', DOMAIN, `a module of version ${version}, not ${ENGINE_VERSION}`);
}

function versionOf(module: WasmModule): string {
  try {
    const [section] = WebAssembly.Module.customSections(module, VERSION_SECTION);
    return section === undefined ? 'none' : new TextDecoder().decode(section);
  } catch (cause) {
    throw unreadable(OWNER, 'module', DOMAIN, cause);
  }
}
