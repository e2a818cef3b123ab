/**
 * Real schemas, each with the ids of a text that fits it: evenly chosen from those of MaskBench that compile.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inSchemaOrder } from '../../tools/grammar-suites/schema-order.mjs';

/** Sets that are no real schemas. */
const ARTIFICIAL = /^(Handwritten|Synthesized)/;
/** Longer texts are cut, so that no schema outweighs the others. */
const LONGEST = 300;

/** `count` of `{ name, schema, ids }`; one that does not compile, or has no valid text, gives way to the next. */
export function chooseSchemas(folder, count, engine, { tokenizer }) {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !ARTIFICIAL.test(name))
    .sort();
  const chosen = [];
  const step = files.length / count;
  for (let i = 0; i < count; i++) {
    const names = files.slice(Math.floor(i * step), Math.floor((i + 1) * step));
    for (const name of names) {
      const ready = readySchema(join(folder, name), name, engine, tokenizer);
      if (ready === undefined) continue;
      chosen.push(ready);
      break;
    }
  }
  return chosen;
}

function readySchema(path, name, engine, tokenizer) {
  const { schema, tests = [] } = JSON.parse(readFileSync(path, 'utf8'));
  for (const { data } of tests.filter(({ valid }) => valid)) {
    const ids = tokenizer.encode(JSON.stringify(inSchemaOrder(data, schema))).slice(0, LONGEST);
    if (engine.takes(schema, ids)) return { name, schema, ids };
  }
  return undefined;
}
