/**
 * A worker: goes all ways to the engine, that of a module from the page among them.
 */
const violations = [];
performance.setResourceTimingBufferSize?.(10_000); // by itself it forgets what comes after 250
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  violations.push(`${effectiveDirective} ${blockedURI}`);
});

addEventListener('message', async ({ data: { url, module } }) => {
  try {
    const { runWays } = await import('./run-ways.mjs');
    postMessage({ ...(await runWays(url, module)), violations });
  } catch (error) {
    postMessage({ error: `${error}\n${error.stack}` });
  }
});
