/**
 * The package's types in the versions of TypeScript that users have, declarations included: with the types of browsers and
 * with those of Node in place of them, as a bundler finds modules and as Node does.
 *
 * The older versions have a folder of their own, tools/typescript, as every version has a command of the same name.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, node, npm, ROOT } from './run.mjs';

const OLDER = join(ROOT, 'tools/typescript');
const COMPILERS = [
  ['5.9', join(OLDER, 'node_modules/typescript-5.9/bin/tsc')],
  ['6', join(OLDER, 'node_modules/typescript-6/bin/tsc')],
  ['7', join(ROOT, 'node_modules/typescript/bin/tsc')],
];
const PLATFORMS = [
  ['the types of browsers', { lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'], types: [] }],
  ['those of Node', { lib: ['ES2022'], types: ['node'] }],
];
const RESOLUTIONS = [
  ['nodenext', { module: 'NodeNext', moduleResolution: 'NodeNext' }],
  ['bundler', { module: 'ESNext', moduleResolution: 'Bundler' }],
];
/** What the types of Node are, as npm installed them here. */
const NODE_TYPES = ['@types/node', 'undici-types'];

/** @param doors what the package can be imported as */
export async function checkTypeScript(project, doors) {
  if (!existsSync(join(OLDER, 'node_modules'))) await npm(['ci', '--prefix', OLDER]);
  for (const name of NODE_TYPES) copyPackage(name, project);
  writeFileSync(join(project, 'doors.ts'), everyDoor(doors));
  for (const [version, compiler] of COMPILERS) {
    await check(`TypeScript ${readVersion(compiler)} takes every door, strictly, declarations included`, async () => {
      for (const settings of settingsOf(version)) await compile(compiler, project, settings);
    });
  }
}

function copyPackage(name, project) {
  const to = join(project, 'node_modules', name);
  mkdirSync(to, { recursive: true });
  cpSync(join(ROOT, 'node_modules', name), to, { recursive: true });
}

function everyDoor(doors) {
  const imports = doors.map((door, i) => `import * as door${i} from '${door}';`);
  return `${imports.join('\n')}\nexport const doors = [${doors.map((_, i) => `door${i}`).join(', ')}];\n`;
}

function readVersion(compiler) {
  return JSON.parse(readFileSync(join(compiler, '../../package.json'), 'utf8')).version;
}

function settingsOf(version) {
  return PLATFORMS.flatMap(([platform, types]) =>
    RESOLUTIONS.map(([resolution, modules]) => ({
      name: `${version}-${resolution}-${types.types[0] ?? 'dom'}`,
      what: `${platform}, ${resolution}`,
      options: { ...types, ...modules },
    })),
  );
}

async function compile(compiler, project, { name, what, options }) {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const compilerOptions = { target: 'ES2022', noEmit: true, experimentalDecorators: true, ...strict, ...options };
  const path = join(project, `tsconfig.${name}.json`);
  writeFileSync(path, JSON.stringify({ compilerOptions, files: ['doors.ts', 'typed.ts'] }));
  try {
    await node([compiler, '-p', path], { cwd: project });
  } catch (error) {
    throw new Error(`with ${what}: ${error.message}`);
  }
}
