/**
 * Other processors, by QEMU: Node for each of them from npm, with the libraries of Debian's cross packages.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Absent, inEmulated, onPath } from '../engine.mjs';
import { verifyWith } from './command-line.mjs';

/**
 * `debian` is the processor's name in Debian's packages, `triplet` the folder of its libraries below /usr. The emulator
 * keeps account of every page that a process sets aside, and Node sets gigabytes aside for each WebAssembly memory: the
 * flags of aarch64 take the guards around a memory away and let it grow to 64 MB at most (the largest row takes 6). On
 * ppc64le V8's optimizing compiler of WebAssembly makes wrong code of the grammars' engine, its other one right code.
 */
const PROCESSORS = [
  {
    name: 'aarch64',
    qemu: 'qemu-aarch64-static',
    debian: 'arm64',
    triplet: 'aarch64-linux-gnu',
    libraries: ['libc6', 'libstdc++6', 'libatomic1'],
    flags: ['--disable-wasm-trap-handler', '--wasm-max-mem-pages=1024'],
  },
  {
    name: 'armv7',
    qemu: 'qemu-arm-static',
    debian: 'armhf',
    triplet: 'arm-linux-gnueabihf',
    libraries: ['libc6', 'libstdc++6', 'libatomic1'],
  },
  {
    name: 'ppc64le',
    qemu: 'qemu-ppc64le-static',
    debian: 'ppc64el',
    triplet: 'powerpc64le-linux-gnu',
    libraries: ['libc6', 'libstdc++6'],
    flags: ['--liftoff-only'],
  },
  {
    name: 's390x',
    qemu: 'qemu-s390x-static',
    debian: 's390x',
    triplet: 's390x-linux-gnu',
    libraries: ['libc6', 'libstdc++6'],
  },
];

const FILES = { libc6: 'libc.so.6', 'libstdc++6': 'libstdc++.so.6', libatomic1: 'libatomic.so.1' };

async function verifyOn({ name, qemu, debian, triplet, libraries, flags = [] }) {
  const emulator = onPath([qemu], 'apt-get install qemu-user-static');
  const root = join('/usr', triplet);
  for (const library of libraries) {
    if (existsSync(join(root, 'lib', FILES[library]))) continue;
    throw new Absent(`no ${library} for it: apt-get install ${library}-${debian}-cross`);
  }
  const node = await inEmulated(`${name}/bin/node`);
  return verifyWith({ program: emulator, args: flags }, ['-L', root, node]);
}

/** @type {import('../engine.mjs').Engine[]} */
export const engines = PROCESSORS.map((processor) => ({ name: processor.name, run: () => verifyOn(processor) }));
