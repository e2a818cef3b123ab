/**
 * Runs before every test file under Stryker: leaves out cases that take long and say nothing that a smaller or quicker
 * one beside them does not say. (A name pattern in the configuration would not do: it takes the place of Stryker's own, and then
 * every mutant is given all tests instead of those that reach it.)
 */
import { beforeEach, type RunnerTask } from 'vitest';

const SLOW = new RegExp(
  [
    'chi.square',
    'every difference of a float32',
    'over several tokens',
    'float32 logits, plain passes',
    'V = 50,257',
    'V 301 to 20,000',
    'V = (1|64|1500|2047|2049|5000|8191|8192|8193|200\\d\\d)\\b',
  ].join('|'),
);

/** The name with those of the suites around it. */
function fullName(task: RunnerTask): string {
  return task.suite === undefined ? task.name : `${fullName(task.suite)} ${task.name}`;
}

beforeEach(({ task, skip }) => {
  skip(SLOW.test(fullName(task)), 'a smaller or quicker case does the same');
});
