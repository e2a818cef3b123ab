/**
 * Compiles the two modules of the passes and writes them to src/numerics, in hexadecimal digits: a bundle that is sent
 * compressed is smaller for them than for base64, as repeated bytes stay repeated. `--check` compares instead of writing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const FLAGS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--initialMemory', '1'];

/** Each module has its constants at a place of its own in the memory that both share: layout.ts, wasm-memory.ts. */
const MODULES = [
  { entry: 'kernel.ts', constants: 19136, name: 'WASM_HEX', file: 'wasm-bytes.ts', served: {}, flags: [] },
  {
    entry: 'relaxed-kernel.ts',
    constants: 19648,
    name: 'RELAXED_WASM_HEX',
    file: 'relaxed-wasm-bytes.ts',
    served: { 'multiply-add.ts': 'relaxed-multiply-add.ts' },
    flags: ['--enable', 'relaxed-simd'],
  },
];

/** The compiled module. */
async function compile({ entry, constants, served, flags }) {
  let binary;
  const { error, stderr } = await asc.main(
    [entry, '--outFile', 'out.wasm', ...FLAGS, '--memoryBase', String(constants), ...flags],
    {
      readFile: (name) => source(served[name] ?? name),
      writeFile: (name, contents) => {
        if (name === 'out.wasm') binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  return Buffer.from(binary).toString('hex');
}

/** The text of a file beside this one; null where there is none, as the compiler asks for names that it guesses. */
function source(name) {
  try {
    return readFileSync(new URL(name, import.meta.url), 'utf8');
  } catch {
    return null;
  }
}

function asSource({ entry, name }, digits) {
  const lines = digits.match(/.{1,112}/g).map((line) => `  '${line}',`);
  return `/**
 * A module of the passes, two hexadecimal digits a byte, compiled from assembly/${entry} by \`npm run build:kernel\`. Not
 * written by hand.
 */
export const ${name} = [
${lines.join('\n')}
].join('');
`;
}

for (const module of MODULES) {
  const out = new URL(`../src/numerics/${module.file}`, import.meta.url);
  const text = asSource(module, await compile(module));
  if (!process.argv.includes('--check')) writeFileSync(out, text);
  else if (readFileSync(out, 'utf8') !== text) {
    console.error(`src/numerics/${module.file} is not what assembly/${module.entry} compiles to: npm run build:kernel`);
    process.exitCode = 1;
  }
}
