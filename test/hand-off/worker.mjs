/**
 * The other process: restores each saved generation of a file, goes on to its end, and writes down what came.
 *
 * Arguments: a file with an array of { model, state }, `model` the context length of the scripted one or null for the
 * embedded one, and the file to write: for each, the events, and the state as it is saved again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as processors from '../../dist/processors/index.js';
import * as containers from '../../dist/src/container/index.js';
import { loadEmbedded } from '../../dist/src/embedded/index.js';
import { createGrammars } from '../../dist/src/grammar/index.js';
import * as root from '../../dist/src/index.js';
import * as random from '../../dist/src/random/index.js';
import { createParts, scriptedModel, tokenizer } from './parts.mjs';

const library = { ...root, ...processors, ...random, ...containers };
const [, , from, to] = process.argv;
const embedded = await loadEmbedded();
const { model, tokenizer: itsTokenizer } = embedded;
const grammars = await createGrammars({ tokenizer: itsTokenizer, endIds: model.endIds });
const { container } = createParts(library, containers.grammarModule(grammars));

async function goOn({ model, state }) {
  const on = model === null ? embedded : { model: scriptedModel(library, model), tokenizer };
  const generation = root.restoreGeneration(on.model, on.tokenizer, state, { container });
  const again = JSON.stringify(generation.save());
  const events = [];
  for await (const { timing: _, ...event } of generation) events.push(event);
  const { seed, ...result } = await generation;
  return { again, events, result: { ...result, seed: String(seed) } };
}

const answers = [];
for (const one of JSON.parse(readFileSync(from, 'utf8'))) answers.push(await goOn(one));
writeFileSync(to, JSON.stringify(answers));
