/**
 * Runs `lockstep verify` of the built package in every JavaScript engine that is here, and prints a table.
 *
 *     node conformance/run.mjs [--only node,bun,…] [--require node,bun,…] [--json FILE]
 *
 * --only      these engines and no others
 * --require   engines whose absence is a failure
 * --json      the reports, to a file
 *
 * BOUND_ROWS in the environment: how many rows the group `bounds` tries, for a long run.
 *
 * Installs conformance/node_modules where it is missing, and that of emulated/ when a processor needs it. Exit 1 when an
 * engine differs or fails, or a required one is absent; 2 for wrong arguments.
 */
import { writeFileSync } from 'node:fs';
import { readArguments } from './arguments.mjs';
import { Absent, prepare } from './engine.mjs';
import { engines as browsers } from './engines/browsers.mjs';
import { engines as programs } from './engines/command-line.mjs';
import { engines as processors } from './engines/emulated.mjs';
import { engines as shells } from './engines/shells.mjs';
import { table } from './table.mjs';

const ENGINES = [...programs, ...browsers, ...shells, ...processors];

async function verifyIn(engine) {
  const start = performance.now();
  console.error(`${engine.name} …`);
  try {
    const outcome = await engine.run();
    return { engine: engine.name, seconds: (performance.now() - start) / 1000, ...outcome };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { engine: engine.name, [error instanceof Absent ? 'absent' : 'failed']: reason };
  }
}

async function main({ only, required, json }) {
  await prepare();
  const engines = ENGINES.filter(({ name }) => only.includes(name));
  const results = [];
  for (const engine of engines) results.push(await verifyIn(engine)); // one after another: they are timed
  console.log(table(results));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`);
  const isGood = ({ engine, absent, report }) => (absent ? !required.includes(engine) : report?.ok === true);
  return results.every(isGood) ? 0 : 1;
}

const wanted = readArguments(
  'conformance',
  ENGINES.map(({ name }) => name),
);
process.exitCode = wanted === undefined ? 2 : await main(wanted);
