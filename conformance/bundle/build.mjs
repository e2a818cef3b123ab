/**
 * The built package as one script, for engines that find no packages.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The text of the script; it sets what entry.mjs says. */
export async function bundle() {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: fileURLToPath(new URL('entry.mjs', import.meta.url)), formats: ['iife'], name: 'conformance' },
    },
  });
  return output[0].code;
}
