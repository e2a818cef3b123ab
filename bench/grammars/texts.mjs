/**
 * Compiling, and masks and steps along texts.
 */
import { median } from '../measure.mjs';
import { OURS } from './ours.mjs';

/** Each schema is compiled so often by us; the least counts, as the machine may do something else meanwhile. */
const REPEATS = 3;

/**
 * `{ compile, mask, advance }`, each by engine with its quantiles in milliseconds, and `ratios`, of us to each other engine
 * over what both did. `count` says how many of `schemas` each engine takes.
 */
export async function measureTexts(engines, schemas, count) {
  const runs = new Map(engines.map(({ name }) => [name, []]));
  for (const [at, { name: file, schema, ids }] of schemas.entries()) {
    if (at % 20 === 0) console.error(`schema ${at + 1} of ${schemas.length} ...`);
    for (const engine of engines) {
      const isDue =
        Math.floor(((at + 1) * count[engine.name]) / schemas.length) >
        Math.floor((at * count[engine.name]) / schemas.length);
      runs.get(engine.name).push(isDue ? await runOne(engine, file, schema, ids) : undefined);
    }
  }
  const parts = Object.fromEntries(['compile', 'mask', 'advance'].map((part) => [part, summary(runs, part)]));
  const ratios = Object.fromEntries(
    [...runs].filter(([name]) => name !== OURS).map(([name, others]) => [name, ratiosOf(runs.get(OURS), others)]),
  );
  return {
    ...parts,
    taken: Object.fromEntries([...runs].map(([name, all]) => [name, all.filter(Boolean).length])),
    ratios,
  };
}

/** Milliseconds of one schema and its text: `{ compile, mask, advance }`; undefined where the engine does not take it. */
async function runOne(engine, file, schema, ids) {
  try {
    let grammar;
    const compile = [];
    for (let i = 0; i < (engine.name === OURS ? REPEATS : 1); i++) {
      const begin = performance.now();
      grammar = await engine.compile(schema);
      compile.push(performance.now() - begin);
    }
    const walks = [];
    for (let i = 0; i < REPEATS; i++) walks.push(walk(engine.open(grammar), ids));
    const least = (part) => ids.map((_, at) => Math.min(...walks.map((each) => each[part][at])));
    return { compile: [Math.min(...compile)], mask: least('mask'), advance: least('advance') };
  } catch (error) {
    console.error(`${engine.name}: ${file} is left out: ${String(error.message ?? error).split('\n')[0]}`);
    return undefined;
  }
}

function walk(place, ids) {
  const [mask, advance] = [[], []];
  for (const id of ids) {
    const begin = performance.now();
    const words = place.mask();
    const middle = performance.now();
    if (((words[id >> 5] >>> (id & 31)) & 1) === 0)
      throw new Error(`a text that fits is not allowed from ${mask.length} on`);
    const late = performance.now();
    place.advance(id);
    advance.push(performance.now() - late);
    mask.push(middle - begin);
  }
  place.close();
  return { mask, advance };
}

function summary(runs, part) {
  const rows = [...runs].map(([name, all]) => [name, quantiles(all.filter(Boolean).flatMap((run) => run[part]))]);
  return Object.fromEntries(rows);
}

export function quantiles(times) {
  const sorted = Float64Array.from(times).sort();
  const at = (q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  return { p50: median(times), p90: at(0.9), p99: at(0.99), max: at(1) };
}

/** Quantiles of ours over those of theirs, over the schemas that both took. */
function ratiosOf(ours, theirs) {
  const both = ours.map((_, i) => i).filter((i) => ours[i] !== undefined && theirs[i] !== undefined);
  const ratio = (part) => {
    const [a, b] = [ours, theirs].map((runs) => quantiles(both.flatMap((i) => runs[i][part])));
    return Object.fromEntries(Object.keys(a).map((q) => [q, a[q] / b[q]]));
  };
  return { schemas: both.length, compile: ratio('compile'), mask: ratio('mask'), advance: ratio('advance') };
}
