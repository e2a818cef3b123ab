/**
 * What the checks of the package share: a check by name, and other programs.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

let failures = 0;

/** How many checks failed so far. */
export function failed() {
  return failures;
}

/** Runs a check and prints a line for it, with the time that it took; whether it holds. */
export async function check(name, work) {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    await work();
    console.log(`ok    ${name} (${seconds()})`);
    return true;
  } catch (error) {
    failures++;
    console.log(`FAIL  ${name} (${seconds()}): ${error.message}`);
    return false;
  }
}

/** Runs a program; what it wrote and its exit code. Rejects for a code other than `code`. */
export function run(command, args, { cwd = ROOT, input = '', code = 0, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const got = error === null ? 0 : error.code;
      if (got === code) resolve({ stdout, stderr });
      else reject(new Error(`${command} ${args.join(' ')} ended with ${got}\n${stdout}${stderr}`));
    });
    child.stdin.on('error', () => {}); // it ended without reading
    child.stdin.end(input);
  });
}

/** Runs Node. */
export function node(args, options) {
  return run(process.execPath, args, options);
}

export function npm(args, options) {
  return run(NPM, args, options);
}
