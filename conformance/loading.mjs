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
import { Absent, prepare, run } from './engine.mjs';
import { BROWSERS, withBrowser } from './engines/browsers.mjs';
import { PROGRAMS, versionOf, withProgram } from './engines/command-line.mjs';
import { faultsOf, faultsOfRefusals } from './loading/faults.mjs';
import { makeProject } from './loading/project.mjs';
import { GIVEN, makeSites, withEngine } from './loading/sites.mjs';
import { startServer } from './server.mjs';

const LONGEST_MS = 180_000;
const ENGINES = [...PROGRAMS, ...BROWSERS];

/**
 * What all engines are tried with: the folder of the programs, the pages, where the engine is, and what has to come of it.
 *
 * @typedef {{ folder: string, sites: object[], url: string, expected: object }} Setting
 */

/** Each place of a program, with what is wrong there. */
async function tryProgram(name, { folder, url, expected }) {
  return withProgram(name, async (command) => {
    const args = [...command.args, ...command.forServer, 'program.mjs', url];
    const results = JSON.parse(await run(command.program, args, { cwd: folder, env: command.env }));
    const version = await versionOf(command);
    const places = Object.entries(results);
    return places.map(([place, result]) => ({ place: `${version}, ${place}`, faults: faultsOf(result, expected) }));
  });
}

/** Each place of a browser, with what is wrong there. */
async function tryBrowser(name, { sites, expected }) {
  return withBrowser(name, async (browser) => {
    const version = (await browser.version()).replace(/^\D*/, '');
    const places = [];
    for (const { name: site, isAllowed, site: served } of sites) {
      const { results, reports } = await visit(browser, served);
      const faults = (result) => (isAllowed ? faultsOf(result, expected) : faultsOfRefusals(result));
      for (const [place, result] of Object.entries(results)) {
        places.push({ place: `${version}, ${place} ${site}`, faults: faults(result) });
      }
      if (isAllowed) places.push({ place: `${version}, the policy's reports ${site}`, faults: reports });
    }
    return places;
  });
}

/** What a page sends as its result, and the reports of what violated its policy. */
async function visit(browser, site) {
  const reports = [];
  let finish;
  const sent = new Promise((resolve) => (finish = resolve));
  const late = setTimeout(() => finish({ page: { error: `no result within ${LONGEST_MS} ms` } }), LONGEST_MS);
  const receive = (path, body) => (path === '/result' ? finish(JSON.parse(body)) : reports.push(body));
  const server = await startServer({ ...site, receive });
  const page = await browser.newPage();
  try {
    await page.goto(server.url);
    const results = await sent;
    return { results, reports };
  } finally {
    clearTimeout(late);
    await page.close();
    await server.close();
  }
}

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
  const { outcomes } = await runWays(url);
  if (outcomes.package.ids?.length > 0) return outcomes.package;
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
