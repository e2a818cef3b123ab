/**
 * The results as a table, engine by group; below it the digest of each group, which is the same wherever it is ok, and
 * what differs, failed, was skipped or is absent, and why passes are the plain ones.
 */

/** @param results of run.mjs, one an engine */
export function table(results) {
  const groups = results.find(({ report }) => report !== undefined)?.report.groups.map(({ name }) => name) ?? [];
  const head = ['engine', 'version', 'numerics', ...groups, 'seconds'];
  const rows = [head, head.map(() => '-'), ...results.map((one) => row(one, groups))];
  const widths = head.map((_, i) => Math.max(...rows.map((cells) => cells[i].length)));
  const lines = rows.map(
    (cells, n) => `| ${cells.map((cell, i) => cell.padEnd(widths[i], n === 1 ? '-' : ' ')).join(' | ')} |`,
  );
  return [...lines, '', ...digests(results), '', ...results.flatMap(notes)].join('\n').trimEnd();
}

function digests(results) {
  const groups = results.flatMap(({ report }) => report?.groups ?? []).filter(({ ok }) => ok);
  const found = new Set(groups.map(({ name, digest }) => `${name} ${digest}`));
  return [...found];
}

function row({ engine, version, report, seconds, absent }, groups) {
  if (report === undefined)
    return [engine, absent === undefined ? 'FAILED' : 'absent', '', ...groups.map(() => ''), ''];
  const cells = groups.map((name) => {
    const group = report.groups.find((one) => one.name === name);
    if (group?.ok === null) return 'skipped';
    return group?.ok ? 'ok' : 'DIFFERS';
  });
  const numerics = report.numerics.some((name) => name.includes('WebAssembly')) ? 'plain, WebAssembly' : 'plain';
  return [engine, version, numerics, ...cells, seconds.toFixed(0)];
}

function notes({ engine, absent, failed, report }) {
  if (absent !== undefined) return [`${engine} is absent: ${absent}`];
  if (failed !== undefined) return [`${engine} failed: ${failed}`];
  const { passes, reason } = report.passes;
  const why = passes === 'plain' ? [`${engine} has the plain passes: ${reason}`] : [];
  const differences = report.groups
    .filter(({ ok }) => ok === false)
    .map(({ name, difference: { what, expected, got } }) => {
      return `${engine} differs in ${name}: ${what}: expected ${expected}, got ${got}`;
    });
  const skipped = report.groups
    .filter(({ ok }) => ok === null)
    .map(({ name, skipped: reason }) => `${engine} skipped ${name}: ${reason}`);
  return [...why, ...skipped, ...differences];
}
