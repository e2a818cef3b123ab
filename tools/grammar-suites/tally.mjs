/**
 * What became of the schemas and instances of one set, and tables of it in Markdown.
 */
export class Tally {
  schemas = 0;
  compiled = 0;
  invalid = 0;
  valid = 0;
  /** Each `{ at, text }`, or `{ at, says }` where the engine could not go on. */
  accepted = [];
  rejected = [];
  /** By reason: how many schemas, and one of them. */
  refused = new Map();
  milliseconds = [];

  refuse(why, at) {
    const known = this.refused.get(why) ?? { count: 0, at };
    this.refused.set(why, { ...known, count: known.count + 1 });
  }

  /** Counts an instance: `answer` is a verdict of it. */
  hold(isValid, answer, at, text) {
    if (isValid) this.valid++;
    else this.invalid++;
    const note = answer === 'yes' || answer === 'no' ? { at, text } : { at, text, says: answer };
    if (isValid && answer !== 'yes') this.rejected.push(note);
    if (!isValid && answer === 'yes') this.accepted.push(note);
  }

  static sum(tallies) {
    const total = new Tally();
    for (const tally of tallies) {
      for (const key of ['schemas', 'compiled', 'invalid', 'valid']) total[key] += tally[key];
      for (const key of ['accepted', 'rejected', 'milliseconds']) total[key].push(...tally[key]);
      for (const [why, { count, at }] of tally.refused) {
        total.refused.set(why, { count: count + (total.refused.get(why)?.count ?? 0), at });
      }
    }
    return total;
  }
}

/** One line a set, and one for all. */
export function printCounts(title, tallies) {
  console.log(`\n## ${title}\n`);
  console.log('| set | schemas | compiled | invalid accepted | valid rejected |\n| --- | --: | --: | --: | --: |');
  for (const [name, tally] of tallies) console.log(row(name, tally));
  if (tallies.size > 1) console.log(row('together', Tally.sum(tallies.values())));
}

function row(name, { schemas, compiled, accepted, invalid, rejected, valid }) {
  const share = schemas === 0 ? '' : ` (${((100 * compiled) / schemas).toFixed(1)} %)`;
  const cells = [
    name,
    schemas,
    `${compiled}${share}`,
    `${accepted.length} of ${invalid}`,
    `${rejected.length} of ${valid}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Why schemas were refused, the commonest reason first. */
export function printRefusals({ refused }) {
  console.log('\n| refused for | schemas | such as |\n| --- | --: | --- |');
  const byCount = [...refused].sort(([, a], [, b]) => b.count - a.count);
  for (const [why, { count, at }] of byCount) console.log(`| ${why.replaceAll('|', '\\|')} | ${count} | ${at} |`);
}

/** Every instance that was taken wrongly, one line each. */
export function printWrong({ accepted, rejected }) {
  for (const { at, text } of accepted) console.log(`- invalid and accepted: ${at} \`${short(text)}\``);
  for (const { at, text, says } of rejected) {
    console.log(`- valid and rejected: ${at}${says === undefined ? ` \`${short(text)}\`` : ` (${says})`}`);
  }
}

function short(text) {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** The share `q` of the times is at most this. */
export function quantile(times, q) {
  const ascending = [...times].sort((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(q * ascending.length))] ?? 0;
}
