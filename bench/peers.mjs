/**
 * Which peers can be measured on this machine. Whatever is missing is left out, with the reason.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineChild } from './child.mjs';
import { loadTransformers, TRANSFORMERS } from './transformers-js.mjs';

export const NUMPY = 'numpy';
export const LLAMA = 'llama.cpp';
/** The largest logit, and the sequential sum of the exps by the C library's exp, compiled with -O2. */
export const C_LOOP = 'C loop, exp+sum';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const MODULES = here('peers/node_modules');
const LLAMA_FOLDER = join(MODULES, '@node-llama-cpp/linux-x64/bins/linux-x64');

/**
 * The peers by name, with their versions; `skipped` has a line for each that is missing. Those that are programs read
 * `folder`.
 */
export async function findPeers(folder, install) {
  const peers = { folder, versions: {}, skipped: [] };
  const modules = installModules(install);
  await attempt(peers, TRANSFORMERS, async () => {
    if (modules !== undefined) throw new Error(modules);
    peers.transformers = await loadTransformers();
    return peers.transformers.version;
  });
  await attempt(peers, LLAMA, async () => {
    if (modules !== undefined) throw new Error(modules);
    peers.llama = await startLlama(folder);
    return libraryName().replace(/^libllama\.|\.so.*$/g, '');
  });
  await attempt(peers, C_LOOP, async () => {
    const { child, version } = await startLoop(folder);
    peers.loop = child;
    return version;
  });
  await attempt(peers, NUMPY, async () => {
    const { child, version } = await startNumpy(folder);
    peers.numpy = child;
    return version;
  });
  return peers;
}

export function closePeers(peers) {
  peers?.llama?.close();
  peers?.loop?.close();
  peers?.numpy?.close();
}

/** A line where the peer cannot be measured. */
async function attempt(peers, name, start) {
  try {
    peers.versions[name] = await start();
  } catch (error) {
    peers.skipped.push(`${name} is left out: ${error.message.split('\n')[0]}`);
  }
}

/** Installs the folder of the peers where that is wanted and needed: undefined, or why there is none. */
function installModules(install) {
  if (existsSync(MODULES)) return undefined;
  if (!install) return 'bench/peers is not installed';
  console.error('Installing bench/peers, about 500 MB ...');
  try {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here('peers'), stdio: ['ignore', 'ignore', 'pipe'] });
    return undefined;
  } catch {
    return 'npm ci in bench/peers failed';
  }
}

/** Its first line is numpy's version. */
async function startNumpy(folder) {
  const python = process.env.BENCH_PYTHON ?? 'python3';
  const child = new LineChild(python, [here('numpy-peer.py'), folder]);
  try {
    return { child, version: await child.next() };
  } catch {
    throw new Error(`no numpy for ${python} (BENCH_PYTHON names another)`);
  }
}

/** Compiles the program that calls llama.cpp's library, and starts it. */
async function startLlama(folder) {
  const library = join(LLAMA_FOLDER, libraryName());
  const child = new LineChild(compile(folder, 'llama-peer', '-ldl'), [library, folder]);
  await child.next();
  return child;
}

/** Compiles the loop in C, and starts it. Its first line is the C library and its version. */
async function startLoop(folder) {
  const child = new LineChild(compile(folder, 'exp-loop', '-lm'), [folder]);
  return { child, version: await child.next() };
}

/** The program that `name`.c makes, in `folder`. */
function compile(folder, name, library) {
  const program = join(folder, name);
  execFileSync(process.env.CC ?? 'cc', ['-O2', '-o', program, here(`${name}.c`), library], { stdio: 'pipe' });
  return program;
}

function libraryName() {
  if (!existsSync(LLAMA_FOLDER)) throw new Error('its library is packed for Linux on x64 only');
  const name = readdirSync(LLAMA_FOLDER).find((file) => /^libllama\.(v[\d.]+\.)?so/.test(file));
  if (name === undefined) throw new Error('no libllama in its package');
  return name;
}
