/**
 * What importing the package and making a sampler cost in CPU time, beside another build of it, in one run.
 *
 *   node bench/import.mjs OLD NEW [--rounds 15]
 *
 * OLD and NEW are projects that have a `lockstep` of theirs installed (npm install the tarball of `npm pack`). Each figure
 * is a median over processes, which take turns: user and system time of the whole process less that of one that imports
 * nothing, in ms; a sampler's is that of one among many, warm, in µs. A door that OLD does not have stands beside its root.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '15' } },
  allowPositionals: true,
});
const ROUNDS = Number(values.rounds);
const [OLD, NEW] = positionals;

const IMPORTED = ['lockstep', 'lockstep/core', 'lockstep/processors'];
/** Prints the CPU time of the process so far, in ms. */
const SPENT = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);';
/** A sampler with the parameters of the README, and with a prompt; turns of the event loop let go of what it held. */
const SAMPLERS = `
  import { createSampler } from 'lockstep';
  const params = { temperature: 0.8, top_k: 40, top_p: 0.95, min_p: 0.05, repetition_penalty: 1.1, seed: 7 };
  const times = [];
  for (let batch = 0; batch < 60; batch++) {
    const { user, system } = process.cpuUsage();
    for (let i = 0; i < 100; i++) createSampler(params, { prompt: [3, 1, 4] });
    const spent = process.cpuUsage({ user, system });
    times.push((spent.user + spent.system) / 100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(times.slice(20).sort((a, b) => a - b)[20]);
`;

/** What a program prints in a project. */
function printed(project, code) {
  const args = ['--input-type=module', '--eval', code];
  return Number(
    execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}

const importing = (name) => `import '${name}'; ${SPENT}`;

/** OLD may be from before the door was there. */
function doorOf(project, name) {
  try {
    printed(project, importing(name));
    return name;
  } catch {
    return 'lockstep';
  }
}

const SUBJECTS = [
  { what: 'nothing', code: () => SPENT, unit: 'ms' },
  ...IMPORTED.map((name) => ({
    what: `import '${name}'`,
    code: (project) => importing(doorOf(project, name)),
    unit: 'ms',
  })),
  { what: 'createSampler', code: () => SAMPLERS, unit: 'µs' },
];

function rounds({ code }) {
  const programs = [OLD, NEW].map((project) => [project, code(project)]);
  const times = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const i of order) times[i].push(printed(...programs[i]));
  }
  return times.map(median);
}

let nothing = [0, 0];
for (const subject of SUBJECTS) {
  const [before, now] = rounds(subject).map((time, i) => time - (subject.unit === 'ms' ? nothing[i] : 0));
  if (subject.what === 'nothing') nothing = [before, now];
  const row = `${before.toFixed(1)} ${subject.unit} before, ${now.toFixed(1)} now: ${(now / before).toFixed(2)}`;
  console.log(`${subject.what.padEnd(28)} ${row}`);
}
