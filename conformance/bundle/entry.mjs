/**
 * For engines without a platform: sets `globalThis.runVerify`, which takes a function from the path of a fixture to its
 * bytes and promises the report as JSON.
 */
import './platform.mjs';
import { verify } from '../../dist/src/index.js';

globalThis.runVerify = async (read) => JSON.stringify(await verify({ files: async (path) => read(path) }));
