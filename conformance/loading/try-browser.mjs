/**
 * Chromium and Firefox: each site's page and worker, and what violated its policy.
 */
import { withBrowser } from '../engines/browsers.mjs';
import { startServer } from '../server.mjs';
import { faultsOf, faultsOfRefusals } from './faults.mjs';

const LONGEST_MS = 180_000;

/**
 * Each place of a browser, with what is wrong there.
 *
 * @param {import('./try-program.mjs').Setting} setting
 */
export async function tryBrowser(name, { sites, expected }) {
  return withBrowser(name, async (browser) => {
    const version = (await browser.version()).replace(/^\D*/, '');
    const places = [];
    for (const { name: site, isAllowed, site: served } of sites) {
      const { results, reports } = await visit(browser, served);
      const faults = (result) => (isAllowed ? faultsOf : faultsOfRefusals)(result, expected);
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
  page.setDefaultTimeout(LONGEST_MS);
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
