/**
 * Loads the engine of the grammars in every JavaScript engine that is here, in all the ways there are, in the program or
 * page itself, its threads and its workers, and pages under a strict content security policy. Every place has to give the
 * ids that Node gives, and no page may violate its policy.
 *
 *     node conformance/loading.mjs [--only node,chromium,…] [--require node,chromium,…] [--json FILE]
 *
 * The arguments are those of run.mjs. A line a place; an engine that is not here is counted as skipped, with the reason.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments } from './arguments.mjs';
import { Absent, prepare } from './engine.mjs';
import { BROWSERS } from './engines/browsers.mjs';
import { PROGRAMS } from './engines/command-line.mjs';
import { makeProject } from './loading/project.mjs';
import { GIVEN, makeSites, withEngine } from './loading/sites.mjs';
import { tryBrowser } from './loading/try-browser.mjs';
import { tryProgram } from './loading/try-program.mjs';
import { startServer } from './server.mjs';

const ENGINES = [...PROGRAMS, ...BROWSERS];

async function tryEngine(name, setting) {
  try {
    const places = await (PROGRAMS.includes(name) ? tryProgram : tryBrowser)(name, setting);
    return { engine: name, places };
  } catch (error) {
    if (error instanceof Absent) return { engine: name, absent: error.message, places: [] };
    return { engine: name, places: [{ place: 'as a whole', faults: [String(error)] }] };
  }
}

/** What Node gives, in this very process. */
async function expectedOf(folder, url) {
  const { runWays } = await import(pathToFileURL(join(folder, 'app/run-ways.mjs')).href);
  const { token, outcomes } = await runWays(url);
  if (outcomes.package.ids?.length > 0) return { token, outcome: outcomes.package };
  throw new Error(`Node itself: ${JSON.stringify(outcomes.package)}`);
}

function print({ engine, absent, places }) {
  if (absent !== undefined) console.log(`skipped  ${engine}: ${absent}`);
  for (const { place, faults } of places) {
    console.log(`${faults.length === 0 ? 'ok      ' : 'FAILED  '} ${engine} ${place}`);
    for (const fault of faults) console.log(`         ${fault}`);
  }
}

async function main({ only, required, json }) {
  await prepare();
  const project = makeProject();
  const server = await startServer(withEngine({ read: () => Promise.reject(new Error('not served')) }));
  const url = new URL(GIVEN, server.url).href;
  const results = [];
  try {
    const sites = only.some((name) => BROWSERS.includes(name)) ? await makeSites(project.folder) : [];
    const setting = { ...project, sites, url, expected: await expectedOf(project.folder, url) };
    for (const name of ENGINES.filter((one) => only.includes(one))) {
      const result = await tryEngine(name, setting);
      print(result);
      results.push(result);
    }
  } finally {
    await server.close();
    project.remove();
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`);
  const skipped = results.filter(({ absent }) => absent !== undefined);
  const failed = results.filter(({ engine, absent, places }) =>
    absent === undefined ? places.some(({ faults }) => faults.length > 0) : required.includes(engine),
  );
  console.log(`${results.length - skipped.length} engines, ${skipped.length} skipped, ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
}

const wanted = readArguments('conformance/loading', ENGINES);
process.exitCode = wanted === undefined ? 2 : await main(wanted);
