/**
 * Writes NOTICES.txt: the licences of all that is linked into the engine. Needs what build.sh needs, after `cargo fetch`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CARGO = '/usr/bin/cargo';
const TARGET = ['--target', 'wasm32-unknown-unknown', '-e', 'normal,no-proc-macro', '--prefix', 'none'];
/** A crate under several licences is taken under the first of these that it offers. */
const FILES = ['LICENSE-MIT', 'LICENSE', 'LICENSE-ZLIB', 'COPYING'];
const STANDARD = `The standard library of Rust, compiled from Debian's package rust-web-src:
Copyright (c) The Rust Project Contributors, and the crates that are part of it: compiler_builtins, cfg-if, dlmalloc,
foldhash (Zlib), hashbrown, libc, memchr, miniz_oxide, rustc-demangle. Taken under the Apache License 2.0, whose text is
the file LICENSE of this package, or the licence named.`;

const cargo = (...args) => execFileSync(CARGO, args, { cwd: import.meta.dirname, encoding: 'utf8' });
const { packages } = JSON.parse(cargo('metadata', '--format-version', '1'));

function linked() {
  const lines = cargo('tree', ...TARGET, '-f', '{p}').split('\n');
  const names = new Set(lines.map((line) => line.split(' ').slice(0, 2).join(' ')));
  return packages.filter(({ name, version, source }) => source !== null && names.has(`${name} v${version}`));
}

function licenceText({ name, manifest_path }) {
  const folder = dirname(manifest_path);
  const file = FILES.find((candidate) => existsSync(join(folder, candidate)));
  if (file === undefined) throw new Error(`${name} has none of ${FILES.join(', ')}, but ${readdirSync(folder)}`);
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim();
}

const groups = new Map();
for (const crate of linked()) {
  const text = licenceText(crate);
  groups.set(text, [...(groups.get(text) ?? []), `${crate.name} ${crate.version} (${crate.license})`]);
}
const rule = `\n\n${'-'.repeat(80)}\n\n`;
const parts = [...groups].map(([text, crates]) => `${crates.sort().join('\n')}\n\n${text}`).sort();
const head = 'src/grammar/engine/engine.wasm is compiled from grammar-engine/ and from these:';
writeFileSync(new URL('NOTICES.txt', import.meta.url), `${[head, STANDARD, ...parts].join(rule)}\n`);
