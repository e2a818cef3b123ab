/**
 * Copies the grammars' engine to where what the compiler wrote looks for it: the compiler copies no files of its own accord.
 */
import { copyFileSync } from 'node:fs';

const FILE = 'src/grammar/engine/engine.wasm';
copyFileSync(new URL(`../${FILE}`, import.meta.url), new URL(`../dist/${FILE}`, import.meta.url));
