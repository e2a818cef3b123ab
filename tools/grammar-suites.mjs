/**
 * Holds the grammars of JSON schemas against suites that others wrote, and prints tables in Markdown. Exits with 1 where
 * an invalid instance is accepted that is not known to be mistaken.
 */
import { parseArgs } from 'node:util';
import { runJsonSchemaTestSuite } from './grammar-suites/json-schema-test-suite.mjs';
import { ARTIFICIAL, runMaskbench } from './grammar-suites/maskbench.mjs';
import { printCounts, printRefusals, printWrong, quantile, Tally } from './grammar-suites/tally.mjs';

const HELP = `node tools/grammar-suites.mjs [--json-schema-test-suite FOLDER] [--maskbench FOLDER] [--every N] [--from K]

Build the project first (npm run build), and fetch the suites yourself; they are not part of this project:
  json-schema-org/JSON-Schema-Test-Suite   the folder with \`tests\` in it
  guidance-ai/jsonschemabench              its folder maskbench/data, unpacked

--every N --from K   of each N schemas of MaskBench only the one at K, from 0 to N - 1; default all
--wrong              lists each instance that was taken wrongly
`;

/** Where an instance has 12345.0 for an integer: marked as invalid, as in draft 4, and 12345 once it is parsed. */
const MISTAKEN = new Set(['Github_trivial---o14485.json', 'Github_easy---o24544.json']);

const { values } = parseArgs({
  options: {
    'json-schema-test-suite': { type: 'string' },
    maskbench: { type: 'string' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    wrong: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || (values['json-schema-test-suite'] === undefined && values.maskbench === undefined)) {
  console.log(HELP);
} else {
  const tallies = [];
  if (values['json-schema-test-suite'] !== undefined) {
    const drafts = runJsonSchemaTestSuite(values['json-schema-test-suite']);
    tallies.push(...report('JSON-Schema-Test-Suite', drafts));
  }
  if (values.maskbench !== undefined) {
    const sets = runMaskbench(values.maskbench, { every: Number(values.every), from: Number(values.from) });
    const isReal = ([name]) => !ARTIFICIAL.includes(name);
    tallies.push(...report('MaskBench', new Map([...sets].filter(isReal))));
    tallies.push(...report('MaskBench, artificial schemas', new Map([...sets].filter((set) => !isReal(set)))));
  }
  const wrong = tallies.flatMap(({ accepted }) => accepted).filter(({ at }) => !MISTAKEN.has(at));
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

/** Prints the tables of `sets`; gives their tallies. */
function report(title, sets) {
  const together = Tally.sum(sets.values());
  printCounts(title, sets);
  printRefusals(together);
  const [median, p99, most] = [0.5, 0.99, 1].map((q) => quantile(together.milliseconds, q).toFixed(1));
  if (together.milliseconds.length > 0)
    console.log(`\nMilliseconds to compile: ${median} / ${p99} / ${most} (median, p99, most)`);
  if (values.wrong) printWrong(together);
  return [together];
}
