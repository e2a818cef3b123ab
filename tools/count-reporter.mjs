/**
 * A closing line that says how many tests passed, failed and were skipped. A file that could not be run is a failure.
 */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[stateOf(test)]++;
      if (module.errors().length > 0) counts.failed++;
    }
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}

/** A test that never got to run did not pass. */
function stateOf(test) {
  const { state } = test.result();
  return state === 'pending' ? 'failed' : state;
}
