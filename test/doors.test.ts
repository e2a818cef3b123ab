/**
 * The doors of the package: each name is behind one of them, and the root shows the few that most people need once more.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
};

const DOORS = Object.entries(exports).flatMap(([door, target]) =>
  typeof target === 'string' ? [] : [{ door, source: target.default.replace(/^\.\/dist\/(.*)\.js$/, '../$1.ts') }],
);
const NAMES = new Map<string, readonly string[]>();
for (const { door, source } of DOORS) NAMES.set(door, Object.keys(await import(/* @vite-ignore */ source)).sort());
const OTHERS = DOORS.map(({ door }) => door).filter((door) => door !== '.');

/** What the root exports and no other door does. */
const ROOT_ONLY = ['VERSION', 'createChain', 'createSampler', 'restoreSampler'];

/** What it shows once more, by the door that it belongs to. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  './core': ['ProcessorChain', 'SPEC_ORDER', 'SpecChain', 'logitsBuffer', 'sampleBatch', 'saveSampler', 'traceSample'],
  './processors': [
    ...[
      'AllowedTokens',
      'BadWords',
      'BannedTokens',
      'ForcedEnd',
      'InvalidValueError',
      'LogitBias',
      'MinP',
      'MinTokens',
    ],
    ...['NoRepeatNgram', 'NothingLeftError', 'PresenceFrequency', 'RepetitionPenalty', 'SuppressAtBegin'],
    ...['Temperature', 'TextBias', 'TopK', 'TopP'],
  ],
  './decode': [
    ...['Generation', 'GenerationGroup', 'ModelDrafter', 'NgramTable', 'NgramTableDrafter', 'PromptLookupDrafter'],
    ...['SpeculativeGeneration', 'beamSearch', 'beamSteps', 'generate', 'generateChoices', 'generateMany'],
    ...['generateSpeculative', 'restoreGeneration'],
  ],
};

/** Programs that are not compiled, and that no other test runs. */
const PROGRAMS = ['bench', 'conformance', 'examples', 'fixtures', 'tools'].flatMap((folder) =>
  readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
);

describe('the doors', () => {
  it('are these, each with its types', () => {
    expect(DOORS.map(({ door }) => door)).toEqual([
      ...['.', './core', './processors', './numerics', './random', './decode', './container', './grammar'],
      ...['./profiles', './schemas', './embedded', './spec', './verify', './workers', './laws'],
    ]);
    for (const { door } of DOORS) {
      const { types, default: file } = exports[door] as { types: string; default: string };
      expect(types).toBe(file.replace(/\.js$/, '.d.ts'));
    }
  });

  it('of the root shows the few that most people need, and no others', () => {
    expect(NAMES.get('.')).toEqual([...ROOT_ONLY, ...Object.values(SHOWN).flat()].sort());
  });

  it.each(Object.entries(SHOWN))('of the root shows names of %s', (door, names) => {
    expect(names.filter((name) => NAMES.get(door)?.includes(name) !== true)).toEqual([]);
  });

  it('share no name beside that', () => {
    const seen = new Map<string, string>(ROOT_ONLY.map((name) => [name, '.']));
    const twice = OTHERS.flatMap((door) =>
      (NAMES.get(door) ?? []).flatMap((name) => {
        const other = seen.get(name);
        seen.set(name, door);
        return other === undefined ? [] : [`${name}: ${other} and ${door}`];
      }),
    );
    expect(twice).toEqual([]);
  });

  it('wait for nothing when they are imported, so that `require` takes them', () => {
    const names = ['src', 'processors'].flatMap((folder) =>
      readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    );
    const sources = names.filter((name) => name.endsWith('.ts') && name !== 'src/workers/thread.ts'); // a program
    const awaiting = sources.filter((name) =>
      /^(?:(?:export )?const .*= )?await\b/m.test(readFileSync(`${ROOT}/${name}`, 'utf8')),
    );
    expect(sources.length).toBeGreaterThan(200);
    expect(awaiting).toEqual([]);
  });

  it('have every name that a program of the repository imports from them', () => {
    const wanted = PROGRAMS.flatMap((path) => importsOf(path).map((imported) => ({ path, ...imported })));
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter(({ door, name }) => NAMES.get(door)?.includes(name) !== true)).toEqual([]);
  });
});

/** What a program imports from a door of the package; its types are checked elsewhere. */
function importsOf(path: string): { door: string; name: string }[] {
  const text = readFileSync(`${ROOT}/${path}`, 'utf8');
  return [...text.matchAll(/import \{([^}]*)\} from 'lockstep(\/[a-z]+)?'/g)].flatMap(([, names = '', door = '']) =>
    names.split(',').flatMap((name) => (name.trim() === '' ? [] : [{ door: `.${door}`, name: nameOf(name) }])),
  );
}

/** `a` of `a as b`. */
function nameOf(imported: string): string {
  return imported.trim().split(' ')[0] as string;
}
