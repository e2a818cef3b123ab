/**
 * `lockstep verify`, built: where it is installed, and in a copy of the package with one digest changed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.js';
import { runCli, runCliWith } from '../cli/run-cli.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('lockstep verify', () => {
  it('prints a line a group and ends with 0', () => {
    const { status, stdout } = runCli(['verify', '--groups', 'golden', 'pcg32']);
    expect(status).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'golden    ok  37ca97d42147349d  1152 checks',
      'pcg32     ok  2161ff65ef373f19  140 checks',
      '',
    ]);
  });

  it('gives the report as JSON', async () => {
    const { status, stdout, stderr } = await callCli(['verify', '--json', '--groups', 'pcg32']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, groups: [{ name: 'pcg32', ok: true, checks: 140 }] });
  });

  it('skips the grammars, with the reason, where there is no WebAssembly, and ends with 0', () => {
    const missing = 'Reflect.deleteProperty(globalThis, "WebAssembly")';
    const { status, stdout } = runCliWith(missing, ['verify', '--groups', 'grammars', 'pcg32']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'grammars  skipped  there is no WebAssembly here\npcg32     ok  2161ff65ef373f19  140 checks\n',
    });
    const json = JSON.parse(runCliWith(missing, ['verify', '--json', '--groups', 'grammars']).stdout);
    const group = { name: 'grammars', ok: null, skipped: 'there is no WebAssembly here' };
    expect(json).toMatchObject({ ok: true, skipped: 1, groups: [group] });
  });

  it('answers a group that is not there with one line and 2', async () => {
    const { status, stdout, stderr } = await callCli(['verify', '--groups', 'prose']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^lockstep: [^\n]*prose[^\n]*\n$/);
  });
});

describe('lockstep verify, where a result must be another', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockstep-verify-'));
    cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'fixtures/verify'), { recursive: true });
    const digests = JSON.parse(readFileSync(join(ROOT, 'fixtures/verify/digests.json'), 'utf8'));
    digests.pcg32['mix64(1)'] = '0123456789abcdef';
    writeFileSync(join(folder, 'fixtures/verify/digests.json'), JSON.stringify(digests));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function verifyCopy(...args: string[]) {
    const main = join(folder, 'dist/src/cli/main.js');
    return spawnSync(process.execPath, [main, 'verify', '--groups', 'pcg32', ...args], { encoding: 'utf8' });
  }

  it('prints the first difference and ends with 1', () => {
    const { status, stdout } = verifyCopy();
    const difference = 'mix64(1) (numerics: exact): expected 0123456789abcdef, got 5692161d100b05e5';
    expect({ status, stdout }).toEqual({ status: 1, stdout: `pcg32     DIFFERS  ${difference}\n` });
  });

  it('gives it as JSON and ends with 1', () => {
    const { status, stdout } = verifyCopy('--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout).groups[0].difference.got).toBe('5692161d100b05e5');
  });
});
