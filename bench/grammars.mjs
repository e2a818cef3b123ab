/**
 * Grammars at V = 128,256, over the tokens of Llama 3: what building the vocabulary, compiling real JSON schemas, masks and
 * going on by a token cost, and what a grammar adds to a token of `generate`; beside web-xgrammar, in one run.
 *
 *   npm run build && npm ci --prefix bench/peers
 *   node bench/grammars.mjs --maskbench FOLDER [--schemas 140] [--peer-schemas 60] [--json FILE]
 *
 * FOLDER is maskbench/data of guidance-ai/jsonschemabench: schemas from use, with texts that fit them. They are not part of
 * this project. Prints tables in Markdown.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Constrained } from 'lockstep/processors';
import { measureGeneration } from './grammars/generation.mjs';
import { OURS, openOurs } from './grammars/ours.mjs';
import { renderGrammars } from './grammars/render.mjs';
import { chooseSchemas } from './grammars/schemas.mjs';
import { measureTexts } from './grammars/texts.mjs';
import { loadVocabulary } from './grammars/vocabulary.mjs';
import { openXGrammar, XGRAMMAR } from './grammars/xgrammar.mjs';

const OPTIONS = {
  maskbench: { type: 'string' },
  schemas: { type: 'string', default: '140' },
  'peer-schemas': { type: 'string', default: '60' },
  json: { type: 'string' },
};
const HELP = 'name the folder maskbench/data of guidance-ai/jsonschemabench, unpacked: --maskbench FOLDER';

const { values } = parseArgs({ options: OPTIONS });
if (values.maskbench === undefined) {
  console.error(`bench/grammars: ${HELP}`);
  process.exit(2);
}

const vocabulary = await loadVocabulary();
const ours = await openOurs(vocabulary);
const peer = await openXGrammar(vocabulary);
if (peer.skipped !== undefined) console.error(peer.skipped);
const engines = [ours, ...(peer.skipped === undefined ? [peer] : [])];
const chosen = chooseSchemas(values.maskbench, Number(values.schemas), ours, vocabulary);
const count = { [OURS]: chosen.length, [XGRAMMAR]: Number(values['peer-schemas']) };
const texts = await measureTexts(engines, chosen, count);
const generation = await measureGeneration(engines, chosen, vocabulary, Constrained);
const report = {
  date: new Date().toISOString(),
  node: process.version,
  schemas: chosen.length,
  ids: chosen.reduce((sum, { ids }) => sum + ids.length, 0),
  vocabulary: Object.fromEntries(engines.map(({ name, built }) => [name, built])),
  ...texts,
  generation,
};
console.log(renderGrammars(report));
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(report));
process.exit(0); // the peer keeps the process
