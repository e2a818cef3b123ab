/**
 * The direction of the imports, and the functions that no value may come from: read off the source itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { withPictures } from '../tools/architecture/picture.mjs';
import { FLOORS, ROOMS } from '../tools/architecture/rooms.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Source {
  /** From the root, with slashes: `src/numerics/exp.ts`. */
  path: string;
  /** The text without comments and quoted strings. */
  code: string;
  /** What it imports: project files from the root, packages and `node:` modules as they are named. */
  imports: string[];
  /** Those of them that are there when it runs, not for their types alone. */
  values: string[];
  /** Those of them that are there when it is loaded, not only when `import()` is reached. */
  atOnce: string[];
}

const SOURCES: Source[] = ['src', 'processors'].flatMap((folder) => read(folder));

function read(folder: string): Source[] {
  const names = readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => posix.join(folder, name.replaceAll('\\', '/')));
  return files.filter((path) => path.endsWith('.ts')).map(parse);
}

function parse(path: string): Source {
  const text = readFileSync(`${root}/${path}`, 'utf8');
  const code = strip(text, false);
  const untyped = code.replace(/\b(?:import|export)\s+type\b[^;]*;/g, ' ');
  const late = untyped.replace(/\bimport\s*\([^)]*\)/g, ' ');
  const [imports = [], values = [], atOnce = []] = [code, untyped, late].map((c) => {
    return importsOf(c).map((name) => resolve(path, name));
  });
  return { path, code: strip(text, true), imports, values, atOnce };
}

/** Without comments, and without what stands between quotes if `quotes` says so. */
function strip(text: string, quotes: boolean): string {
  const tokens = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
  return text.replace(tokens, (token) => (token.startsWith('/') || quotes ? ' ' : token));
}

/** The names in `import … from`, `export … from`, `import '…'` and `import('…')`. */
function importsOf(code: string): string[] {
  const found = code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g);
  return [...found].map((match) => match[1] as string);
}

function resolve(from: string, name: string): string {
  return name.startsWith('.') ? posix.join(posix.dirname(from), name) : name;
}

/** The room that a path belongs to: the folder below `src`, or the file right in it. */
function roomOf(path: string): string {
  if (path.startsWith('processors/')) return 'processors';
  return (path.split('/')[1] as string).replace(/\.[jt]s$/, '');
}

function isProject(name: string): boolean {
  return name.startsWith('src/') || name.startsWith('processors/');
}

/** What the core may import of others. */
const PACKAGES = ['zod/mini', 'zod/v4/core'];

const ROOM_NAMES = ROOMS.map(({ name }) => name);

/** The rooms below that need no container and no model, and run in any engine. */
const CORE_FLOORS = ['ground', 'exact', 'policy', 'core'];
const CORE = ROOMS.filter(({ floor }) => CORE_FLOORS.includes(floor)).map(({ name }) => name);

/** Where the files of each room lead, each room once. */
function roomsImportedBy(room: string): string[] {
  const found = SOURCES.filter(({ path }) => roomOf(path) === room).flatMap(({ imports }) =>
    imports.filter(isProject).map(roomOf),
  );
  return [...new Set(found)].filter((other) => other !== room);
}

describe('the imports', () => {
  it('are found at all', () => {
    const edges = SOURCES.flatMap(({ path, imports }) => imports.map((name) => `${path} ${name}`));
    expect(SOURCES.length).toBeGreaterThan(40);
    expect(edges).toContain('src/sampler/sampler.ts src/chain/processor-chain.js');
    expect(edges).toContain('processors/zod.ts zod/mini');
    expect(edges).toContain('src/spec.ts src/sampler/inverse-cdf.js');
  });

  it('name files that are there', () => {
    const known = new Set(SOURCES.map(({ path }) => path));
    const missing = SOURCES.flatMap(({ path, imports }) =>
      imports
        .filter((name) => isProject(name) && !known.has(name.replace(/\.js$/, '.ts')))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('of every room are laid down in one table', () => {
    const rooms = [...new Set(SOURCES.map(({ path }) => roomOf(path)))];
    expect(rooms.sort()).toEqual([...ROOM_NAMES].sort());
  });

  it.each(ROOMS)('of $name go down only', ({ name, imports }) => {
    const below = ROOM_NAMES.slice(0, ROOM_NAMES.indexOf(name));
    expect(imports.filter((other) => !below.includes(other))).toEqual([]);
  });

  it.each(ROOMS)('of $name are those of the table', ({ name, imports }) => {
    expect(roomsImportedBy(name).sort()).toEqual([...imports].sort());
  });

  it('of processors know nothing of src but its errors, the kinds of values, log2 and the generator', () => {
    const fromSrc = SOURCES.filter(({ path }) => roomOf(path) === 'processors').flatMap(({ imports }) =>
      imports.filter((name) => name.startsWith('src/')),
    );
    expect([...new Set(fromSrc)].sort()).toEqual([
      ...['src/errors.js', 'src/inputs.js', 'src/kinds.js'],
      'src/numerics/log2.js', // for `accept`, which has no context
      ...['src/random/pcg32.js', 'src/random/seed.js'], // for watermarks, whose keys are their own
    ]);
  });

  it('of processors, errors, numerics, random, candidates, chain and sampler need no package but zod and a hash, and no platform', () => {
    const foreign = SOURCES.filter(({ path }) => CORE.includes(roomOf(path))).flatMap(({ path, imports }) =>
      imports.filter((name) => !isProject(name) && !PACKAGES.includes(name)).map((name) => `${path}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  it('of zod go through one file, but for what prints its schemas as JSON', () => {
    const fromZod = SOURCES.filter(({ imports }) => imports.some((name) => /^zod(\/|$)/.test(name)));
    expect(fromZod.map(({ path }) => path)).toEqual([
      'src/grammar/language/schema/formats.ts',
      'src/grammar/language/schema/other-libraries.ts',
      'processors/zod.ts',
    ]);
  });

  it('of the main entry lead to grammars only when verify asks for them', () => {
    const reached = new Set(['src/index.ts']);
    for (const path of reached) {
      for (const name of SOURCES.find((source) => source.path === path)?.atOnce ?? []) {
        if (isProject(name)) reached.add(name.replace(/\.js$/, '.ts'));
      }
    }
    expect(reached.size).toBeGreaterThan(100);
    expect([...reached].filter((path) => path.startsWith('src/grammar/'))).toEqual([]);
    expect(SOURCES.find(({ path }) => path === 'src/verify/verify.ts')?.values).toContain('src/verify/grammars.js');
  });

  it('make no circle between files when they run', () => {
    const graph = new Map(SOURCES.map(({ path, values }) => [path, values.filter(isProject)]));
    expect(SOURCES.map(({ path }) => circleFrom(path, graph)).filter((circle) => circle !== undefined)).toEqual([]);
  });
});

describe('the picture of the rooms', () => {
  const page = readFileSync(`${root}/docs/ARCHITECTURE.md`, 'utf8');

  it('is made from the table: after a change of it, node tools/architecture/draw.mjs', () => {
    expect(page).toBe(withPictures(page));
  });

  it('has every room on a floor, and a floor has no room of one above it in front', () => {
    const order = FLOORS.map(({ name }) => name);
    const floors = ROOMS.map(({ floor }) => order.indexOf(floor));
    expect(floors).not.toContain(-1);
    expect(floors).toEqual([...floors].sort((a, b) => a - b));
  });

  it('is refused for a page that has no place for it', () => {
    expect(() => withPictures('# a page')).toThrow('<!-- picture -->');
  });
});

/** A way from `start` back to itself. */
function circleFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): string | undefined {
  const seen = new Set<string>();
  const stack = [[start]];
  for (let way = stack.pop(); way !== undefined; way = stack.pop()) {
    for (const name of graph.get(way.at(-1) as string) ?? []) {
      const next = name.replace(/\.js$/, '.ts');
      if (next === start) return [...way, next].join(' -> ');
      if (seen.has(next)) continue;
      seen.add(next);
      stack.push([...way, next]);
    }
  }
  return undefined;
}

/** The one file that may use the engine's functions: it is there to be compared with. */
const ENGINE = 'src/numerics/engine-numerics.ts';
/** It replaces them, to find who calls them. */
const LAW = 'src/laws/processors/inexact-math.ts';

/** Functions whose bits are each engine's own affair, and chance. */
const FORBIDDEN = [
  ...['exp', 'expm1', 'log', 'log1p', 'log2', 'log10', 'pow', 'cbrt', 'hypot', 'random'],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'],
];

describe('the values', () => {
  const others = SOURCES.filter(({ path }) => path !== ENGINE && path !== LAW);

  it.each(FORBIDDEN)('come from no Math.%s', (name) => {
    const wrong = others.filter(({ code }) => new RegExp(`\\bMath\\s*\\??\\.\\s*${name}\\b`).test(code));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('come from no power operator, which is Math.pow', () => {
    expect(others.filter(({ code }) => code.includes('**')).map(({ path }) => path)).toEqual([]);
  });

  it('come from no Math under another name', () => {
    const hidden = others.filter(({ code }) => /\bMath\b(?!\s*\.\s*\w)/.test(code));
    expect(hidden.map(({ path }) => path)).toEqual([]);
  });

  it('of the comparison come from the engine', () => {
    const engine = SOURCES.find(({ path }) => path === ENGINE);
    expect(engine?.code).toMatch(/Math\.exp[\s\S]*Math\.log/);
  });
});
