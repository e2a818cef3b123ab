/**
 * Chromium and Firefox, headless, with a new profile: a page imports the built ESM files and runs `verify`.
 */
import { onPath } from '../engine.mjs';
import { startServer } from '../server.mjs';

const LONGEST_MS = 900_000;
const CHROMIUM_ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

async function verifyIn(options) {
  const { default: puppeteer } = await import('puppeteer-core');
  const server = await startServer();
  const browser = await puppeteer.launch({ headless: true, protocolTimeout: LONGEST_MS, ...options });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(LONGEST_MS);
    await page.goto(server.url);
    const report = await page.evaluate(async () => {
      const { verify } = await import('/dist/src/index.js');
      return verify();
    });
    return { version: await browser.version(), report };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function runChromium() {
  const executablePath = onPath(['chromium', 'chromium-browser', 'google-chrome'], 'apt-get install chromium');
  return verifyIn({ browser: 'chrome', executablePath, args: CHROMIUM_ARGS });
}

async function runFirefox() {
  const executablePath = onPath(['firefox-esr', 'firefox'], 'apt-get install firefox-esr');
  return verifyIn({ browser: 'firefox', executablePath, protocol: 'webDriverBiDi' });
}

/** @type {import('../engine.mjs').Engine[]} */
export const engines = [
  { name: 'chromium', run: runChromium },
  { name: 'firefox', run: runFirefox },
];
