/**
 * Writes docs/processors anew, after a change of a processor. The project must have been built.
 *
 *     node tools/processors/write.mjs
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { domainOf } from '../../dist/processors/domain-of.js';
import { PROCESSORS, processorInfo } from '../../dist/processors/index.js';
import { processorPages } from './pages.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = `${ROOT}docs/processors`;

const sources = readdirSync(`${ROOT}processors`, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`${ROOT}processors/${name}`, 'utf8'));

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const [file, text] of processorPages(PROCESSORS.map(processorInfo), sources, domainOf)) {
  writeFileSync(`${FOLDER}/${file}`, text);
}
