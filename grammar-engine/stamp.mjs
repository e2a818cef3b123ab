/**
 * Says in the engine which one it is: its version as a custom section of the module, and as the constant that the library
 * holds a module to.
 *
 *     node stamp.mjs ENGINE [CONSTANT]      adds the section to the file ENGINE, once; writes the TypeScript file CONSTANT
 *
 * The version is that of llguidance and the beginning of the SHA-256 of the bytes before the section.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const NAME = 'version';

function llguidance() {
  const manifest = readFileSync(new URL('Cargo.toml', import.meta.url), 'utf8');
  return /^llguidance = \{ version = "=([^"]+)"/m.exec(manifest)[1];
}

/** A number below 2^14 as WebAssembly writes it. */
function leb(value) {
  return value < 128 ? [value] : [(value & 127) | 128, value >> 7];
}

function section(text) {
  const [name, content] = [Buffer.from(NAME), Buffer.from(text)];
  const body = Buffer.concat([Buffer.from(leb(name.length)), name, content]);
  return Buffer.concat([Buffer.from([0, ...leb(body.length)]), body]);
}

const [engine, constant] = process.argv.slice(2);
const bytes = readFileSync(engine);
if (WebAssembly.Module.customSections(new WebAssembly.Module(bytes), NAME).length > 0) {
  throw new Error(`${engine} has a version already`);
}
const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const version = `llguidance ${llguidance()}, ${hash}`;
writeFileSync(engine, Buffer.concat([bytes, section(version)]));
if (constant !== undefined) {
  const comment =
    '/** The version of the engine beside this file, which says the same; written by grammar-engine/build.sh. */';
  writeFileSync(constant, `${comment}\nexport const ENGINE_VERSION = '${version}';\n`);
}
console.log(version);
