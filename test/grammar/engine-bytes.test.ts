/**
 * The bytes of the engine that ships: what they were made of, what they need, how large they are.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ENGINE_VERSION } from '../../src/grammar/engine/engine-version.js';

const CRATE = new URL('../../grammar-engine/', import.meta.url);
const ENGINE = new URL('../../src/grammar/engine/engine.wasm', import.meta.url);

const read = (name: string) => readFileSync(new URL(name, CRATE), 'utf8');

describe('engine.wasm', () => {
  it('was compiled from the sources beside it: grammar-engine/build.sh says so in built.txt', () => {
    const built = read('built.txt')
      .trim()
      .split('\n')
      .map((line) => line.split('  ') as [string, string]);
    const sources = readdirSync(new URL('src/', CRATE)).map((name) => `src/${name}`);
    expect(built.map(([, name]) => name)).toEqual(expect.arrayContaining([...sources, 'Cargo.toml']));
    const changed = built.filter(([sum, name]) => {
      const bytes = readFileSync(new URL(name, CRATE));
      return createHash('sha256').update(bytes).digest('hex') !== sum;
    });
    expect(changed.map(([, name]) => name)).toEqual([]);
  });

  it('says its version: that of llguidance, and the beginning of the SHA-256 of all bytes before it says so', () => {
    const bytes = readFileSync(ENGINE);
    const name = Buffer.from('\x07version');
    const at = bytes.lastIndexOf(name);
    expect(bytes.subarray(at + name.length).toString()).toBe(ENGINE_VERSION);
    const hash = createHash('sha256')
      .update(bytes.subarray(0, at - 2))
      .digest('hex')
      .slice(0, 16);
    const [, llguidance] = /^llguidance = \{ version = "=([^"]+)"/m.exec(read('Cargo.toml')) ?? [];
    expect(ENGINE_VERSION).toBe(`llguidance ${llguidance}, ${hash}`);
  });

  it('imports nothing, so that neither a clock nor chance comes in', () => {
    expect(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(ENGINE)))).toEqual([]);
  });

  it('takes at most 530 kB on its way, gzipped', () => {
    expect(gzipSync(readFileSync(ENGINE), { level: 9 }).length).toBeLessThan(530_000);
  });

  it('has every crate pinned, and its licence in the notices', () => {
    const crates = [...read('Cargo.toml').matchAll(/^([\w-]+) = \{ (?:package = "([\w-]+)", )?version = "([^"]+)"/gm)];
    expect(crates.length).toBeGreaterThan(45);
    expect(crates.filter(([, , , version]) => !version?.startsWith('=')).map(([line]) => line)).toEqual([]);
    const notices = read('NOTICES.txt');
    for (const name of ['llguidance', 'toktrie', 'derivre', 'regex-syntax', 'referencing', 'serde_json']) {
      const version = crates.find(([, crate]) => crate === name)?.[3]?.slice(1);
      expect(notices).toContain(`${name} ${version} (`);
    }
  });
});
