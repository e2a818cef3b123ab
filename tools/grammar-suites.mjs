/**
 * Outside suites through the grammars: what compiles, what is accepted and rejected, and what is refused by which keyword.
 *
 *   node tools/grammar-suites.mjs json-schema FOLDER      a checkout of JSON-Schema-Test-Suite: draft 2020-12 and draft 7
 *   node tools/grammar-suites.mjs maskbench FOLDER [N]    MaskBench's folder `data`, each Nth file (default 1)
 *
 * The project must have been built. Instances are written again without spaces, MaskBench's in the order of the schema.
 * Exits 1 when an invalid instance is accepted. MaskBench says of `12345.0` that it is no integer, which JSON.parse reads
 * as 12345: such instances are left out.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGrammars } from 'lockstep/grammar';

const END = 256;
const tokenizer = {
  vocabSize: END + 1,
  encode: (text) => [...Buffer.from(text)],
  tokenBytes: (id) => (id === END ? new Uint8Array() : Uint8Array.of(id)),
};
const grammars = await createGrammars({ tokenizer, endIds: [END] });

/** Whether a text fits; a fresh constraint would say the same. */
function fits(constraint, text) {
  try {
    constraint.restore(tokenizer.encode(text));
    return constraint.isComplete();
  } catch {
    return false;
  }
}

class Table {
  counts = { schemas: 0, compiled: 0, invalid: 0, accepted: 0, valid: 0, rejected: 0 };
  refused = new Map();
  wrong = [];

  add(name, schema, tests) {
    this.counts.schemas++;
    let constraint;
    try {
      constraint = grammars.jsonSchema(schema).constraint();
    } catch (error) {
      return this.#refuse(error);
    }
    this.counts.compiled++;
    for (const { text, valid } of tests) this.#judge(name, text, valid, fits(constraint, text));
    constraint.dispose();
  }

  #judge(name, text, valid, isAccepted) {
    this.counts[valid ? 'valid' : 'invalid']++;
    if (isAccepted === valid) return;
    this.counts[valid ? 'rejected' : 'accepted']++;
    this.wrong.push(`${valid ? 'rejected' : 'ACCEPTED'}  ${name}  ${text.slice(0, 100)}`);
  }

  #refuse({ parameter, domain }) {
    const engine = /\((?:Unimplemented keys: \["([^"]+)|(\w+))/.exec(domain ?? '');
    const keyword = parameter?.includes('/') ? parameter.split('/').at(-1) : (engine?.[1] ?? engine?.[2] ?? domain);
    this.refused.set(keyword, (this.refused.get(keyword) ?? 0) + 1);
  }

  print(title) {
    console.log(title, JSON.stringify(this.counts));
    const refused = [...this.refused].sort(([, a], [, b]) => b - a);
    console.log(`  refused: ${refused.map(([keyword, count]) => `${keyword} ${count}`).join(', ')}`);
    for (const line of this.wrong) console.log(`  ${line}`);
    if (this.counts.accepted > 0) process.exitCode = 1;
  }
}

/** What a schema says of itself that is one of this draft; the suite of draft 7 leaves it out. */
const DIALECTS = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
};

function withDialect(schema, draft) {
  return typeof schema === 'boolean' ? schema : { $schema: DIALECTS[draft], ...schema };
}

function jsonSchemaSuite(folder) {
  for (const draft of Object.keys(DIALECTS)) {
    const table = new Table();
    const folders = ['.', 'optional/format'].map((part) => join(folder, 'tests', draft, part));
    const files = folders.flatMap((part) => readdirSync(part).map((name) => join(part, name)));
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      for (const { description, schema, tests } of JSON.parse(readFileSync(file, 'utf8'))) {
        const texts = tests.map(({ data, valid }) => ({ text: JSON.stringify(data), valid }));
        table.add(`${file.split('/').at(-1)}: ${description}`, withDialect(schema, draft), texts);
      }
    }
    table.print(draft);
  }
}

function maskBench(folder, step) {
  const table = new Table();
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const file of files.filter((_, i) => i % step === 0)) {
    const { schema, tests = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const kept = tests.filter(({ rust_error }) => !/^\d+\.0 is not of type "integer"/.test(rust_error ?? ''));
    table.add(
      file,
      schema,
      kept.map(({ data, valid }) => ({ text: JSON.stringify(ordered(data, schema)), valid })),
    );
  }
  table.print('maskbench');
}

/** The value with the properties that the schema names first, in its order; schemas that are referred to are not looked at. */
function ordered(value, schema) {
  if (Array.isArray(value)) return value.map((entry) => ordered(entry, schema?.items));
  if (typeof value !== 'object' || value === null) return value;
  const properties = schema?.properties ?? {};
  const names = [...Object.keys(properties).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)];
  return Object.fromEntries(
    names.map((name) => [name, ordered(value[name], properties[name] ?? schema?.additionalProperties)]),
  );
}

const [suite, folder, step = '1'] = process.argv.slice(2);
const RUNS = { 'json-schema': jsonSchemaSuite, maskbench: maskBench };
if (RUNS[suite] === undefined || !existsSync(folder ?? '')) {
  console.error(`usage: node tools/grammar-suites.mjs ${Object.keys(RUNS).join('|')} FOLDER [N]`);
  process.exit(2);
}
RUNS[suite](folder, Number(step));
