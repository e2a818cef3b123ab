/**
 * Goes all ways to the engine, in a page, a worker or a program: what came of each, and what had been loaded before the
 * first of them. A token is sampled as well, which needs no WebAssembly.
 */
import { createSampler } from 'lockstep';
import { loadEmbedded } from 'lockstep/embedded';

/**
 * @param url where a server has engine.wasm
 * @param module the engine, compiled by another thread, for one way more
 */
export async function runWays(url, module) {
  const embedded = await loadEmbedded();
  const withoutGrammars = loaded();
  const [{ received, WAYS }, { allowedAlong, schemaIds }] = await Promise.all([
    import('./ways.mjs'),
    import('./schema-text.mjs'),
  ]);
  const withoutEngine = loaded();
  const ways = module === undefined ? WAYS : { ...WAYS, received };
  let ids = [];
  const outcomes = {};
  for (const [name, way] of Object.entries(ways)) {
    try {
      const grammars = await way({ ...embedded, url: new URL(url), module });
      if (name === 'package') ids = await schemaIds(embedded, grammars);
      outcomes[name] = { ids, allowed: allowedAlong(grammars, ids) };
    } catch ({ name: error, message }) {
      outcomes[name] = { error, message };
    }
  }
  const token = createSampler({ temperature: 0.8, seed: 7 }).sample(Float32Array.of(1.5, 0.2, 3.1, -0.7, 2.9, 0.4));
  return { token, outcomes, loaded: { withoutGrammars, withoutEngine } };
}

/** What was fetched so far: of a program, as good as nothing. */
function loaded() {
  return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
}
