/**
 * Compiles kernel.ts and writes it, as base64, to src/numerics/wasm-bytes.ts. `--check` compares instead of writing.
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
  return Buffer.from(binary).toString('base64');
}

function asSource(base64) {
  const lines = base64.match(/.{1,112}/g).map((line) => `  '${line}',`);
  return `/**
 * The WebAssembly kernel in base64, compiled from assembly/kernel.ts by \`npm run build:kernel\`. Not written by hand.
 */
export const WASM_BASE64 = [
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
