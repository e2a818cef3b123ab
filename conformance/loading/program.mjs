/**
 * For Node, Bun and Deno: goes all ways to the engine itself, in a thread of node:worker_threads and, where there is one,
 * in a web worker. Prints what came of it as JSON.
 *
 *     … program.mjs URL      where a server has engine.wasm
 */
import { Worker as Thread } from 'node:worker_threads';
import { runWays } from './app/run-ways.mjs';

const url = process.argv[2];
const program = await runWays(url);
const module = await WebAssembly.compile(await (await fetch(url)).arrayBuffer());

async function inThread() {
  const thread = new Thread(new URL('./thread.mjs', import.meta.url), { workerData: { url, module } });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

async function inWorker() {
  const worker = new Worker(new URL('./app/worker.mjs', import.meta.url), { type: 'module' });
  const answer = new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(`the worker: ${message}`)));
  });
  worker.postMessage({ url, module });
  return answer.finally(() => worker.terminate());
}

const results = { program, thread: await inThread() };
if (typeof Worker === 'function') results.worker = await inWorker();
console.log(JSON.stringify(results));
