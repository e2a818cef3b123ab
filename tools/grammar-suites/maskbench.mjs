/**
 * MaskBench of jsonschemabench: schemas from use, one a file, with valid and invalid instances.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, verdict } from './byte-grammars.mjs';
import { inSchemaOrder } from './schema-order.mjs';
import { Tally } from './tally.mjs';

/** Sets that are no real schemas, but written to be hard: tallied apart. */
export const ARTIFICIAL = ['Handwritten', 'Synthesized'];

/** A tally by set, of the schemas in `folder`: of each `every` files in order of their names the one at `from`. */
export function runMaskbench(folder, { every, from }) {
  const tallies = new Map();
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const file of files.sort().filter((_, i) => i % every === from)) {
    const set = setOf(file);
    if (!tallies.has(set)) tallies.set(set, new Tally());
    runFile(JSON.parse(readFileSync(join(folder, file), 'utf8')), file, tallies.get(set));
  }
  return tallies;
}

/** `Github_easy---o123.json` is of Github_easy, `BFCL_java_0.json` of BFCL. */
function setOf(file) {
  return file.includes('---') ? file.split('---')[0] : file.split('_')[0];
}

function runFile({ schema, tests = [] }, file, tally) {
  const started = performance.now();
  const { constraint, refused } = compile(schema);
  tally.milliseconds.push(performance.now() - started);
  tally.schemas++;
  if (refused !== undefined) {
    tally.refuse(refused, file);
    return;
  }
  tally.compiled++;
  for (const { data, valid } of tests) {
    const value = inSchemaOrder(data, schema);
    tally.hold(valid, verdict(constraint, value), file, JSON.stringify(value));
  }
  constraint.dispose();
}
