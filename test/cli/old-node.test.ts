import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isOlder, OLDEST_NODE } from '../../src/cli/old-node.js';
import { runCliWith } from './run-cli.js';

describe('the oldest Node', () => {
  it('is that of package.json', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  });

  it.each([
    ['20.11.0', true],
    ['20.18.9', true],
    ['18.20.4', true],
    ['9.0.0', true],
    ['20', true],
    ['20.19', false],
    ['20.19.0', false],
    ['20.100.0', false],
    ['22.1.0', false],
    ['100.0.0', false],
  ])('is newer than %s: %s', (version, expected) => {
    expect(isOlder(version, OLDEST_NODE)).toBe(expected);
  });
});

const PRETEND = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.11.0"}})';

describe('lockstep verify on an older Node', () => {
  it('warns, and checks all the same', () => {
    const { status, stdout, stderr } = runCliWith(PRETEND, ['verify', '--groups', 'pcg32']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'pcg32     ok  2161ff65ef373f19  140 checks\n' });
    expect(stderr).toMatch(/^\[warning: Node 20\.11\.0 is older than 20\.19, the oldest that Lockstep supports\]\n/);
  });

  it('leaves the JSON as it is', () => {
    const { stdout } = runCliWith(PRETEND, ['verify', '--json', '--groups', 'pcg32']);
    expect(JSON.parse(stdout).ok).toBe(true);
  });
});
