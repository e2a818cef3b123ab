/**
 * A page: goes all ways to the engine itself and in a worker, and sends what came of it, with what the content security
 * policy was violated by, to the server.
 */
const violations = [];
performance.setResourceTimingBufferSize(10_000); // by itself it forgets what comes after 250
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
  violations.push(`${effectiveDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`);
});
const url = new URL('/given/engine.wasm', location.href).href;

/** Imported after the listener is there: nothing of the package is loaded before it. */
async function run() {
  const { runWays } = await import('./run-ways.mjs');
  return runWays(url);
}

/** Workers have no import maps: only where a bundler made one. */
async function runWorker() {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
  const module = await compiled();
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(`the worker: ${message}`)));
    worker.postMessage({ url, module });
  });
}

/** The engine, where a page may compile it. */
async function compiled() {
  const bytes = await (await fetch(url)).arrayBuffer();
  return WebAssembly.compile(bytes).catch(() => undefined);
}

/** What came of it in `place`, or why nothing did. */
async function attempt(place) {
  return place().catch((error) => ({ error: `${error}\n${error.stack}` }));
}

const results = { page: { ...(await attempt(run)), violations } };
if (document.documentElement.dataset.worker !== 'none') results.worker = await attempt(runWorker);
await fetch('/result', { method: 'POST', body: JSON.stringify(results) });
