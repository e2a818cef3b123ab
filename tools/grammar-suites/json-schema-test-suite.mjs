/**
 * JSON-Schema-Test-Suite: small schemas with valid and invalid instances, by draft.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, verdict } from './byte-grammars.mjs';
import { inSchemaOrder } from './schema-order.mjs';
import { Tally } from './tally.mjs';

const DRAFTS = ['draft2020-12', 'draft7'];

/** A tally by draft, of the suite in `folder`. Formats are enforced, so the tests that only annotate are others. */
export function runJsonSchemaTestSuite(folder) {
  return new Map(DRAFTS.map((draft) => [draft, runDraft(join(folder, 'tests', draft))]));
}

function runDraft(folder) {
  const tally = new Tally();
  const files = [folder, join(folder, 'optional/format')].filter(existsSync).flatMap(jsonFiles);
  for (const file of files) {
    const name = file.slice(folder.length + 1);
    for (const group of JSON.parse(readFileSync(file, 'utf8'))) runGroup(group, name, tally);
  }
  return tally;
}

function jsonFiles(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

function runGroup({ schema, description, tests }, file, tally) {
  const { constraint, refused } = compile(schema);
  tally.schemas++;
  if (refused !== undefined) {
    tally.refuse(refused, `${file}: ${description}`);
    return;
  }
  tally.compiled++;
  for (const { data, valid, description: test } of tests) {
    const value = inSchemaOrder(data, schema);
    tally.hold(valid, verdict(constraint, value), `${file}: ${description}: ${test}`, JSON.stringify(value));
  }
  constraint.dispose();
}
