/**
 * Compiles kernel.ts and writes it to src/numerics/wasm-bytes.ts, in hexadecimal digits: a bundle that is sent compressed is
 * smaller for them than for base64, as repeated bytes stay repeated. `--check` compares instead of writing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const OUT = new URL('../src/numerics/wasm-bytes.ts', import.meta.url);
const FLAGS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--initialMemory', '1'];

/** The compiled module. */
async function compile() {
  const source = readFileSync(new URL('kernel.ts', import.meta.url), 'utf8');
  let binary;
  const { error, stderr } = await asc.main(['kernel.ts', '--outFile', 'kernel.wasm', ...FLAGS], {
    readFile: (name) => (name === 'kernel.ts' ? source : null),
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm') binary = contents;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  return Buffer.from(binary).toString('hex');
}

function asSource(digits) {
  const lines = digits.match(/.{1,112}/g).map((line) => `  '${line}',`);
  return `/**
 * The WebAssembly kernel, two hexadecimal digits a byte, compiled from assembly/kernel.ts by \`npm run build:kernel\`. Not
 * written by hand.
 */
export const WASM_HEX = [
${lines.join('\n')}
].join('');
`;
}

const text = asSource(await compile());
if (!process.argv.includes('--check')) writeFileSync(OUT, text);
else if (readFileSync(OUT, 'utf8') !== text) {
  console.error('src/numerics/wasm-bytes.ts is not what assembly/kernel.ts compiles to: npm run build:kernel');
  process.exitCode = 1;
}
