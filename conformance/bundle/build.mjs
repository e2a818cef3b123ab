/**
 * The built package as one script, for engines that find no packages.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The files come from the engine's own reader: as a library's, Vite would write all of them into the script. */
const LEAVE_FILES = {
  name: 'leave-files',
  enforce: 'pre',
  transform: (code) => code.replaceAll(', import.meta.url)', ", '' + import.meta.url)"),
};

/** The text of the script; it sets what entry.mjs says. */
export async function bundle() {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [LEAVE_FILES],
    define: { BOUND_ROWS: process.env.BOUND_ROWS ?? '0' },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: fileURLToPath(new URL('entry.mjs', import.meta.url)), formats: ['iife'], name: 'conformance' },
    },
  });
  return output[0].code;
}
