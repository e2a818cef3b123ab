/**
 * Bundles the programs of docs/guides/browser-and-bundlers.md with Vite, webpack, esbuild and Rollup as the page says, and
 * runs each bundle in browsers and, where it is meant for it, in Node. It has to print what the program prints in Node as it
 * is: text from the embedded model, held to a grammar, so that the model's files and the grammars' engine were all found.
 *
 *     node conformance/bundling.mjs [--only chromium,…] [--require chromium,…]
 *
 * A line a place; a browser that is not here is counted as skipped, with the reason.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { Absent, npm, prepare, ROOT, run } from './engine.mjs';
import { BROWSERS, withBrowser } from './engines/browsers.mjs';
import { startServer } from './server.mjs';

const LONGEST_MS = 60_000;
const PAGE = '<!doctype html><script type="module" src="./app.js"></script>';

let failures = 0;

/** A line for one place: what it printed is what it has to. */
async function attempt(place, expected, work) {
  const printed = await work().catch((error) => `${error}`);
  if (printed === expected) return console.log(`ok       ${place}`);
  failures++;
  console.log(`FAILED   ${place}\n         ${printed}`);
}

/** What the page of a bundle logs first. */
async function printedOnPage(browser, out) {
  const page = await browser.newPage();
  const server = await startServer({ page: await pageOf(out), read: (path) => readFile(join(out, path)) });
  try {
    const printed = new Promise((resolve, reject) => {
      page.on('console', (message) => message.type() === 'log' && resolve(message.text()));
      page.on('pageerror', reject);
      setTimeout(() => reject(new Error(`nothing within ${LONGEST_MS} ms`)), LONGEST_MS).unref();
    });
    await page.goto(server.url);
    return await printed;
  } finally {
    await page.close();
    await server.close();
  }
}

/** The page that the bundler wrote, or one with its script alone. */
async function pageOf(out) {
  const own = join(out, 'index.html');
  return existsSync(own) ? readFile(own, 'utf8') : PAGE;
}

async function tryInBrowser(name, bundles, expected) {
  await withBrowser(name, async (browser) => {
    const version = (await browser.version()).replace(/^\D*/, '');
    for (const { bundler, out } of bundles) {
      await attempt(`${bundler} in ${name} ${version}`, expected, () => printedOnPage(browser, out));
    }
  });
}

async function printedInNode(script) {
  return (await run(process.execPath, [script])).trim();
}

async function main({ only, required }) {
  await prepare();
  if (!existsSync(join(ROOT, 'conformance/bundling/node_modules'))) await npm('ci', '--prefix', 'conformance/bundling');
  const { BUNDLERS, makeProject, OUT, writeProgram } = await import('./bundling/build.mjs');
  const projects = BUNDLERS.map((bundler) => ({ ...bundler, ...makeProject() }));
  try {
    writeProgram(projects[0].folder);
    const expected = await printedInNode(join(projects[0].folder, 'app.mjs'));
    console.log(`in Node: ${expected}`);
    const bundles = [];
    for (const { name, folder, bundle, isForNode } of projects) {
      await bundle(folder);
      const out = join(folder, OUT);
      bundles.push({ bundler: name, out });
      if (isForNode) await attempt(`${name} in Node`, expected, () => printedInNode(join(out, 'app.js')));
    }
    for (const name of only) {
      try {
        await tryInBrowser(name, bundles, expected);
      } catch (error) {
        if (!(error instanceof Absent) || required.includes(name)) throw error;
        console.log(`skipped  ${name}: ${error.message}`);
      }
    }
  } finally {
    for (const { remove } of projects) remove();
  }
  return failures === 0 ? 0 : 1;
}

const wanted = readArguments('conformance/bundling', BROWSERS);
process.exitCode = wanted === undefined ? 2 : await main(wanted);
