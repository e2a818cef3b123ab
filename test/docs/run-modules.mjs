/**
 * Imports the modules that it is given, one after another, and says of each, in a line of JSON, what it wrote and how it
 * failed. They share a process: starting one for each would take longer than all of them.
 */
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const LONGEST_MS = 60_000;
const write = process.stdout.write.bind(process.stdout);

for (const path of process.argv.slice(2)) {
  let output = '';
  process.stdout.write = (text) => {
    output += text;
    return true;
  };
  const error = await imported(path);
  process.stdout.write = write;
  write(`${JSON.stringify({ path, output, ...(error !== undefined && { error }) })}\n`);
}

async function imported(path) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${LONGEST_MS / 1000} s`)), LONGEST_MS);
  });
  try {
    await Promise.race([import(pathToFileURL(path).href), late]);
    return undefined;
  } catch (error) {
    return inspect(error);
  } finally {
    clearTimeout(timer);
  }
}
