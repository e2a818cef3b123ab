/**
 * Times `sampler.sample`, from raw float32 logits to an id and its logprob, beside a naive implementation.
 *
 *   node bench/sampler.mjs [--quick] [--json FILE]
 *
 * Configurations: G greedy with repetition penalty 1.1; A repetition 1.1, T 0.8, k 40, p 0.95, m 0.05; B p 0.9 alone, on
 * flat logits; C nothing; D m 0.05 alone. Prompt of 512 ids, 256 generated. Progress goes to stderr.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { least, measure, median } from './measure.mjs';
import { render, summarize } from './report.mjs';
import { checkAgreement, limits, naiveSampler, ourSampler } from './subjects.mjs';
import { CONFIGURATIONS, logitsFor, makeWorkload, VOCAB_SIZES } from './workload.mjs';

const ROUNDS = { full: { ours: 20, naive: 3 }, quick: { ours: 4, naive: 1 } };

/** @returns {import('./report.mjs').Cell} */
function measureCell(config, workload, rounds) {
  const params = CONFIGURATIONS[config];
  const logits = logitsFor(config, workload);
  checkAgreement(config, params, workload);
  const subjects = [
    ourSampler(params, logits, workload, rounds.ours),
    naiveSampler(params, logits, workload, rounds.naive),
    ...limits(logits, rounds.ours),
  ];
  const { ours, naive, ...bounds } = Object.fromEntries(measure(subjects, rounds.ours));
  return {
    vocabSize: workload.vocabSize,
    config,
    ours: median(ours),
    oursLeast: least(ours),
    naive: median(naive),
    expSum: median(bounds['exp+sum']),
    kernel: median(bounds.kernel),
    limits: bounds,
  };
}

function measureAll(rounds) {
  return VOCAB_SIZES.flatMap((vocabSize) => {
    const workload = makeWorkload(vocabSize);
    return Object.keys(CONFIGURATIONS).map((config) => {
      const cell = measureCell(config, workload, rounds);
      console.error(`V = ${vocabSize}, ${config}: ${cell.ours.toFixed(3)} ms, naive ${cell.naive.toFixed(1)} ms`);
      return cell;
    });
  });
}

function readArguments() {
  try {
    return parseArgs({ options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } } }).values;
  } catch (error) {
    console.error(`bench: ${error.message}`);
    process.exit(2);
  }
}

const { quick, json } = readArguments();
const report = summarize(measureAll(quick ? ROUNDS.quick : ROUNDS.full), quick);
console.log(render(report));
if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
