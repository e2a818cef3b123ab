/**
 * Chromium and Firefox, headless, with a new profile: a page imports the built ESM files and runs `verify`.
 */
import { onPath } from '../engine.mjs';
import { startServer } from '../server.mjs';

const LONGEST_MS = 900_000;
const BOUND_ROWS = Number(process.env.BOUND_ROWS ?? 0);
const CHROMIUM_ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** How each is started; throws Absent where it is not here. */
const OPTIONS = {
  chromium: () => ({
    browser: 'chrome',
    executablePath: onPath(['chromium', 'chromium-browser', 'google-chrome'], 'apt-get install chromium'),
    args: CHROMIUM_ARGS,
  }),
  firefox: () => ({
    browser: 'firefox',
    executablePath: onPath(['firefox-esr', 'firefox'], 'apt-get install firefox-esr'),
    protocol: 'webDriverBiDi',
  }),
};

export const BROWSERS = Object.keys(OPTIONS);

/** What `use` makes of a browser. */
export async function withBrowser(name, use) {
  const options = OPTIONS[name]();
  const { default: puppeteer } = await import('puppeteer-core');
  const browser = await puppeteer.launch({ headless: true, protocolTimeout: LONGEST_MS, ...options });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

async function verifyIn(browser) {
  const server = await startServer();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(LONGEST_MS);
    await page.goto(server.url);
    const report = await page.evaluate(async (boundRows) => {
      const { verify } = await import('/dist/src/verify/index.js');
      return verify(boundRows > 0 ? { boundRows } : {});
    }, BOUND_ROWS);
    return { version: await browser.version(), report };
  } finally {
    await server.close();
  }
}

/** @type {import('../engine.mjs').Engine[]} */
export const engines = BROWSERS.map((name) => ({ name, run: () => withBrowser(name, verifyIn) }));
