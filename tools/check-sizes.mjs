/**
 * Holds the doors of the package to their sizes: each bundled whole by esbuild, and some names alone, minified and gzipped.
 *
 *     node tools/check-sizes.mjs [--write]
 *
 * A size may not be above its bound, nor above what the table in README.md says; where it is much below, the table is to
 * be brought up to date. `--write` does so. Prints every size, and for one that grew what it is made of. The project must
 * have been built.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = fileURLToPath(new URL('../README.md', import.meta.url));
const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The most that doors and names may weigh, in kB. */
const BOUNDS = {
  lockstep: 95,
  'lockstep/core': 58,
  'TopK of lockstep/processors': 15,
  'exp of lockstep/numerics': 3,
  'sqrt of lockstep/numerics': 3,
  'fma of lockstep/numerics': 3,
  'Pcg32 of lockstep/random': 3,
};
/** Names with a size in the table and no bound: these functions have tables of numbers. */
const ALSO = ['log of lockstep/numerics', 'log2 of lockstep/numerics', 'pow of lockstep/numerics'];

const DOORS = Object.entries(exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [`lockstep${path.slice(1)}`],
);
const NAMES = [...Object.keys(BOUNDS), ...ALSO].filter((subject) => subject.includes(' of '));

/** A row of the table: `lockstep/core` or `TopK` of `lockstep/processors`, …, the size, the bound. */
const ROW = /^\| (`[^|]+` +)\|([^|]*)\| (\d+(?:\.\d)? +)\|([^|]*)\|$/gm;

/** How far a size may be above what the table says, as a share: zlib of another version makes other bytes. */
const ABOVE = 0.02;
/** And how far below, as a share and in kB. */
const BELOW = 0.05;
const BELOW_KB = 0.3;

/** What is bundled: a whole door, or a name of it. */
function entryOf(subject) {
  const [name, door] = subject.includes(' of ') ? subject.split(' of ') : ['*', subject];
  return `export ${name === '*' ? '*' : `{ ${name} }`} from '${door}';`;
}

/** The size in bytes, minified and gzipped, and the bytes that each file has of the minified bundle. */
async function measure(subject) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entryOf(subject), resolveDir: ROOT, sourcefile: 'entry.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: ['node:*'],
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  return { subject, bytes: gzipSync(outputFiles[0].contents, { level: 9 }).length, inputs };
}

/** kB as the table has them, rounded up: whole ones from 10 on, tenths below. */
function kilobytes(bytes) {
  return bytes > 10_000 ? Math.ceil(bytes / 1000) : Math.ceil(bytes / 100) / 10;
}

/** What the table says: sizes and bounds, by what they are of. Tables of other things are not looked at. */
function tableOf(text) {
  const rows = [...text.matchAll(ROW)].filter(([, subject]) => subject.includes('`lockstep'));
  return new Map(
    rows.map(([, subject, , size, bound]) => [named(subject), { size: Number(size), bound: bound.trim() }]),
  );
}

function named(subject) {
  return subject.replaceAll('`', '').trim();
}

/** What is wrong with a size, rounded up to `size`. */
function faultOf(subject, size, exact, said) {
  const bound = BOUNDS[subject];
  if (bound !== undefined && size > bound) return `above its bound of ${bound} kB`;
  if (said === undefined) return 'not in the table of README.md';
  if (said.bound !== String(bound ?? '')) return `README.md says another bound: ${said.bound || 'none'}`;
  if (isWriting) return undefined;
  if (size > said.size && exact > said.size * (1 + ABOVE)) return `grew: README.md says ${said.size} kB`;
  return size < said.size - Math.max(said.size * BELOW, BELOW_KB)
    ? `shrank: README.md says ${said.size} kB`
    : undefined;
}

/** The packages and folders that a bundle is made of, the largest first. */
function parts(inputs) {
  const sums = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const part = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+|dist\/(?:src\/[^/]+|processors))/.exec(path)?.[0] ?? path;
    sums.set(part, (sums.get(part) ?? 0) + bytesInOutput);
  }
  const sorted = [...sums].filter(([, bytes]) => bytes > 0).sort((a, b) => b[1] - a[1]);
  return sorted.map(([part, bytes]) => `${part} ${kilobytes(bytes)}`);
}

/** The README with these sizes in its table. */
function written(text, sizes) {
  return text.replace(ROW, (row, subject, holds, said, bound) => {
    const size = sizes.get(named(subject));
    return size === undefined ? row : `| ${subject}|${holds}| ${String(size).padEnd(said.length)}|${bound}|`;
  });
}

const isWriting = process.argv.includes('--write');
const text = readFileSync(README, 'utf8');
const table = tableOf(text);
const sizes = new Map();
let failures = 0;
for (const subject of [...DOORS, ...NAMES]) {
  const { bytes, inputs } = await measure(subject);
  const size = kilobytes(bytes);
  sizes.set(subject, size);
  const fault = faultOf(subject, size, bytes / 1000, table.get(subject));
  console.log(
    `${fault === undefined ? 'ok   ' : 'FAIL '} ${subject} ${size} kB${fault === undefined ? '' : `, ${fault}`}`,
  );
  if (fault === undefined) continue;
  failures++;
  console.log(`      minified, in kB: ${parts(inputs).join(', ')}`);
}
const strange = [...table.keys()].filter((subject) => !sizes.has(subject));
if (strange.length > 0) {
  failures++;
  console.log(`FAIL  in the table of README.md and no door: ${strange.join(', ')}`);
}
if (isWriting) writeFileSync(README, written(text, sizes));
if (failures > 0) process.exitCode = 1;
