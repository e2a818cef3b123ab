/**
 * Whether this engine is in lockstep: the same results, to the bit, as everywhere else.
 *
 * Seven groups: the golden cases of the spec; exp, log and the sums of a softmax, held to Python's math; PCG32 and its
 * streams; random requests, held to a transcription of the spec in Python; 200 tokens of the embedded model; the masks of
 * grammars; and what proved bounds decide, held to the plain loops. Each runs with every numerics that the engine has, but for PCG32 and grammars, which need none. Grammars need
 * WebAssembly: where there is none, their group is skipped.
 */
import { InvalidValueError } from '../errors.js';
import type { GrammarsOptions } from '../grammar/index.js';
import { readArray } from '../inputs.js';
import { isBufferSource, isFunction, isResponse, isUrl, isWebAssemblyModule } from '../kinds.js';
import { wasmNumerics } from '../numerics/default-numerics.js';
import { checkNumerics, exactNumerics, type Numerics } from '../numerics/numerics.js';
import { defaultPasses, hasWasmKernel, type Passes, ready } from '../numerics/passes.js';
import { countField, functionField, listField } from '../options/fields.js';
import { field, optionsOf } from '../options/options-of.js';
import { VERSION } from '../version.js';
import { boundsChecks, MANY_BOUNDS, SOME_BOUNDS } from './bounds.js';
import { type Checks, GROUPS, type GroupName, type GroupReport, runGroup } from './check.js';
import { expLogChecks } from './exp-log.js';
import { type Digests, type ReadFixture, readDigests, readFrom, readGolden, readModel } from './files.js';
import { goldenChecks } from './golden.js';
import { type ModelRun, modelChecks, runModel } from './model.js';
import { pcg32Checks } from './pcg32.js';
import { requestChecks } from './requests.js';

export interface VerifyOptions {
  /** Which groups to run. Default: all. */
  readonly groups?: readonly GroupName[];
  /** Which numerics to hold to the same results. Default: the exact ones, plain and, where they run, in WebAssembly. */
  readonly numerics?: readonly Numerics[];
  /**
   * Where the package's folder `fixtures/` is: a URL that ends with a slash, or a function that gives the bytes of a
   * file in it by its path there. Default: as the package was installed; a bundle says where it serves them.
   */
  readonly files?: URL | ReadFixture;
  /** The engine of grammars, as `module` of `createGrammars`, for a bundle that does not find the package's. */
  readonly grammarEngine?: GrammarsOptions['module'];
  /** How many rows the group `bounds` tries, of any size; default 60, which are short. An integer >= 1. */
  readonly boundRows?: number;
  /** Called with each group as it ends. */
  readonly onGroup?: (group: GroupReport) => void;
}

export interface VerifyReport {
  /** The version of this package. */
  readonly version: string;
  /** Whether every group that ran is in lockstep. */
  readonly ok: boolean;
  /** How many groups did not run, each with the reason in its report. */
  readonly skipped: number;
  /** The names of the numerics. */
  readonly numerics: readonly string[];
  /** The passes over a vocabulary that this engine samples with, and why where they are the plain ones. */
  readonly passes: Passes;
  readonly groups: readonly GroupReport[];
}

const OWNER = 'verify';
/** The shortest module: it holds nothing. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const OPTIONS = optionsOf<VerifyOptions>({
  groups: listField('an array of groups'),
  numerics: listField('an array of numerics'),
  grammarEngine: field('engine.wasm: a WebAssembly.Module, its bytes, a Response or a URL', isEngineSource),
  files: field('a URL, or a function that reads a file', (value) => isUrl(value) || isFunction(value)),
  boundRows: countField(1),
  onGroup: functionField,
});

/**
 * Runs the checks: some seconds of work. The promise is rejected with InvalidValueError for wrong options and for a file
 * that cannot be read; a result that differs, or an error in computing one, is in the report.
 */
export async function verify(options: VerifyOptions = {}): Promise<VerifyReport> {
  const {
    groups: wanted = GROUPS,
    numerics: given = availableNumerics(),
    files,
    grammarEngine,
    boundRows,
    onGroup,
  } = OPTIONS.check(OWNER, options);
  const names = readArray(OWNER, 'groups', 'an array', wanted, checkGroup);
  const numerics = readArray(OWNER, 'numerics', 'an array', given, checkOne);
  if (names.length === 0) throw new InvalidValueError(OWNER, 'groups', 'not empty', names);
  if (numerics.length === 0) throw new InvalidValueError(OWNER, 'numerics', 'not empty', numerics);
  const read = typeof files === 'function' ? files : readFrom(files);
  await ready();
  const digests = await readDigests(read);
  const groups: GroupReport[] = [];
  for (const name of names) {
    const skipped = name === 'grammars' ? webAssemblyFailure() : undefined;
    const group: GroupReport =
      skipped === undefined
        ? runGroup(name, await prepare(name, digests, read, grammarEngine, boundRows), numericsFor(name, numerics))
        : { name, ok: null, skipped };
    onGroup?.(group);
    groups.push(group);
  }
  return {
    version: VERSION,
    ok: groups.every(({ ok }) => ok !== false),
    skipped: groups.filter(({ ok }) => ok === null).length,
    numerics: numerics.map(({ name }) => name),
    passes: defaultPasses(),
    groups,
  };
}

function isEngineSource(value: unknown): boolean {
  return isBufferSource(value) || isUrl(value) || isResponse(value) || isWebAssemblyModule(value);
}

function availableNumerics(): readonly Numerics[] {
  return hasWasmKernel() ? [exactNumerics, wasmNumerics] : [exactNumerics];
}

/** One will do where no numerics has a part in the results. */
function numericsFor(name: GroupName, all: readonly Numerics[]): readonly Numerics[] {
  return name === 'pcg32' || name === 'grammars' ? all.slice(0, 1) : all;
}

/** Reads what a group needs; its checks. */
async function prepare(
  name: GroupName,
  digests: Digests,
  read: ReadFixture,
  engine: VerifyOptions['grammarEngine'],
  boundRows: number | undefined,
): Promise<Checks> {
  switch (name) {
    case 'golden': {
      const cases = await readGolden(read);
      return (numerics) => goldenChecks(cases, numerics);
    }
    case 'exp-log':
      return (numerics) => expLogChecks(digests['exp-log'], numerics);
    case 'pcg32':
      return () => pcg32Checks(digests.pcg32);
    case 'requests':
      return (numerics) => requestChecks(digests.requests, numerics);
    case 'model': {
      const files = await readModel(read);
      let run: ModelRun | undefined;
      return (numerics) => {
        run ??= runModel(files);
        return modelChecks(digests.model, run, numerics);
      };
    }
    case 'grammars': {
      const { grammarChecks, verifyGrammars } = await import('./grammars.js');
      const grammars = await verifyGrammars(engine);
      return () => grammarChecks(digests.grammars, grammars);
    }
    case 'bounds': {
      const work = boundRows === undefined ? SOME_BOUNDS : { ...MANY_BOUNDS, rows: boundRows };
      return (numerics) => boundsChecks(numerics, work);
    }
  }
}

/** Why nothing can be run in WebAssembly here; undefined where it can. */
function webAssemblyFailure(): string | undefined {
  if (typeof WebAssembly === 'undefined') return 'there is no WebAssembly here';
  try {
    new WebAssembly.Module(EMPTY_MODULE);
    return undefined;
  } catch (error) {
    return `no WebAssembly may be compiled here: ${error}`;
  }
}

function checkGroup(name: unknown): GroupName {
  const group = GROUPS.find((known) => known === name);
  if (group === undefined) throw new InvalidValueError(OWNER, 'groups', `some of ${GROUPS.join(', ')}`, name);
  return group;
}

function checkOne(numerics: unknown, index: number): Numerics {
  checkNumerics(OWNER, `numerics[${index}]`, numerics);
  return numerics;
}
