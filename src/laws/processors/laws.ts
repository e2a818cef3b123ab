/**
 * What every processor must obey: each law by its sentence, and a function that throws for an example that breaks it.
 */
import { CandidateSet } from '../../candidates/candidate-set.js';
import { exactNumerics } from '../../numerics/numerics.js';
import { TokenHistory } from '../../sampler/token-history.js';
import { show } from '../../show.js';
import { demand } from '../law-error.js';
import type { Example } from './example.js';
import { demandSame, isActive, processOnce, run, stateOf } from './run.js';

export const PROCESSOR_LAWS: Readonly<Record<string, (example: Example) => void>> = {
  'no NaN and no +Infinity comes out': noNaN,
  'K never grows and never empties': shrinks,
  'the same bits come out twice, by all passes, and from float64 logits': sameBits,
  '`process` changes no state, of its own or of the history': changesNoState,
  'to save, restore and go on is to go on': restores,
  'what is off changes no bit': offChangesNothing,
  'as many uniforms are drawn as declared, whatever the logits': drawsAsDeclared,
};

function noNaN(example: Example): void {
  const { logits, probabilities, entropy } = run(example.fresh(), example, 0);
  const wrong = logits.findIndex((l) => !(l < Infinity));
  demand(wrong < 0, () => `the logit of id ${wrong} is ${logits[wrong]}`);
  const sum = probabilities.reduce((all, q) => all + q);
  demand(Math.abs(sum - 1) < 1e-9, () => `the probabilities add up to ${sum}`);
  demand(!Number.isNaN(entropy), 'the entropy is NaN');
}

function shrinks(example: Example): void {
  const { before, ids, settled } = run(example.fresh(), example, 0);
  demand(ids.length > 0, 'no id is left');
  const revived = ids.find((id) => before[id] === -Infinity);
  demand(revived === undefined, `id ${revived} was masked, and is there again`);
  demand(settled === undefined || (ids.length === 1 && ids[0] === settled), 'other ids stay beside the settled one');
}

function sameBits(example: Example): void {
  const step = example.fresh();
  const first = run(step, example, 0);
  run(step, example, 1);
  demandSame(run(step, example, 0), first, 'when it ran again on the same token');
  demandSame(run(example.fresh(), example, 0), first, 'from another one with the same options');
  demandSame(run(step, example, 0, undefined, 'plain'), first, 'by the plain passes');
  demandSame(run(step, example, 0, undefined, 'float64'), first, 'from the same logits as float64');
}

function changesNoState(example: Example): void {
  const step = example.fresh();
  for (const id of example.history) step.accept?.(id);
  const state = stateOf(step);
  const history = new TokenHistory([...example.prompt], [...example.history]);
  const options = JSON.stringify(step.options ?? null);
  for (const row of [0, 1, 0]) run(step, example, row, history);
  demandEqual(stateOf(step), state, 'the state after `process`');
  demandEqual(JSON.stringify(step.options ?? null), options, 'the options after `process`');
  const { prompt, output, sequence } = history;
  const whole = [...example.prompt, ...example.history];
  demandEqual([prompt, output, sequence], [example.prompt, example.history, whole], 'the history after `process`');
}

function restores(example: Example): void {
  const gone = example.fresh();
  const canGoBack = gone.save !== undefined && gone.restore !== undefined;
  demand(gone.accept === undefined || canGoBack, 'it has `accept`, and not `save` and `restore`');
  const output: number[] = [];
  for (let row = 0; row < example.rows.length; row++) {
    const restored = example.fresh();
    if (gone.save !== undefined) restored.restore?.(stateOf(gone));
    const ahead = new TokenHistory([...example.prompt], output);
    const expected = run(gone, example, row, ahead);
    demandSame(run(restored, example, row, ahead), expected, `at token ${row} of a restored one`);
    const id = example.accepted[row] as number;
    restored.accept?.(id);
    gone.accept?.(id);
    demandEqual(stateOf(restored), stateOf(gone), `the state of a restored one after token ${row}`);
    output.push(id);
  }
}

function offChangesNothing(example: Example): void {
  const step = example.fresh();
  if (isActive(step)) return;
  const row = example.rows[0] as Float32Array;
  const set = new CandidateSet(exactNumerics);
  set.load(row);
  const history = new TokenHistory([...example.prompt], [...example.history]);
  const uniform = (): never => {
    throw new Error('it is off, and draws');
  };
  processOnce(step, set, { history, numerics: exactNumerics, uniform });
  const changed = set.toLogits().findIndex((l, id) => !Object.is(l, row[id]));
  demand(changed < 0, `it is off, and changes the logit of id ${changed}`);
  demand(set.settled === undefined, 'it is off, and settles an id');
}

function drawsAsDeclared(example: Example): void {
  const step = example.fresh();
  const declared = isActive(step) ? (step.draws ?? 0) : 0;
  for (let row = 0; row < example.rows.length; row++) {
    const { drawn } = run(step, example, row);
    demand(drawn === declared, `it declares ${declared} and draws ${drawn} for token ${row}`);
  }
}

function demandEqual(found: unknown, expected: unknown, what: string): void {
  const holds = JSON.stringify(found) === JSON.stringify(expected);
  demand(holds, () => `${what} is ${show(found)}, not ${show(expected)}`);
}
