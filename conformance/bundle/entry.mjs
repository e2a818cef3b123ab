/**
 * For engines without a platform: sets `globalThis.runVerify`, which takes a function from the path of a fixture to its
 * bytes, and where there is WebAssembly the bytes of the grammars' engine, and promises the report as JSON.
 */
import './platform.mjs';
import { verify } from '../../dist/src/verify/index.js';

globalThis.runVerify = async (read, grammarEngine) =>
  JSON.stringify(
    await verify({
      files: async (path) => read(path),
      ...(grammarEngine && { grammarEngine }),
      ...(BOUND_ROWS && { boundRows: BOUND_ROWS }),
    }),
  );
