/**
 * Which passes run, as the command line says it (M1, M2).
 */
import { describe, expect, it } from 'vitest';
import { callCli } from './call-cli.js';
import { runCliWith } from './run-cli.js';

/** An engine whose scan finds nothing, whatever the row is. */
const WRONG = `const { Instance } = WebAssembly;
WebAssembly.Instance = class { constructor(module, imports) { this.exports = { ...new Instance(module, imports).exports, scan: () => 0 }; } }`;
const MISSING = 'Reflect.deleteProperty(globalThis, "WebAssembly")';

const VERIFY = ['verify', '--groups', 'golden', 'pcg32'];
const TRACE = ['trace', '--seed', '0'];
const REASON =
  'the WebAssembly passes gave 0 for the byte order of the memory: the largest of 1.0000001192092896 and 2, not 2';

describe('where the WebAssembly passes are wrong', () => {
  it('verify is in lockstep with the plain ones, and says why they run', () => {
    const { status, stdout, stderr } = runCliWith(WRONG, VERIFY);
    expect(status).toBe(0);
    expect(stdout).toBe('golden    ok  37ca97d42147349d  576 checks\npcg32     ok  2161ff65ef373f19  140 checks\n');
    expect(stderr).toContain('numerics: exact]\n');
    expect(stderr).toContain(`[the passes over a vocabulary are the plain ones: ${REASON}]\n`);
  });

  it('verify says so in its JSON', () => {
    const report = JSON.parse(runCliWith(WRONG, [...VERIFY, '--json']).stdout);
    expect(report).toMatchObject({ ok: true, numerics: ['exact'], passes: { passes: 'plain', reason: REASON } });
  });

  it('trace says so beside the same table, and in its JSON', async () => {
    const here = await callCli(TRACE, '[1, 2, 3]');
    const { stdout, stderr } = runCliWith(WRONG, TRACE, '[1, 2, 3]');
    expect(stdout).toBe(here.stdout);
    expect(here.stderr).toBe('[numerics: exact, WebAssembly]\n');
    expect(stderr).toBe(`[numerics: exact; the passes over a vocabulary are the plain ones: ${REASON}]\n`);
    const json = JSON.parse(runCliWith(WRONG, [...TRACE, '--json'], '[1, 2, 3]').stdout);
    expect(json.numerics).toEqual({ name: 'exact', passes: 'plain', reason: REASON });
  });
});

it('where there is no WebAssembly, verify says so', () => {
  const { status, stderr } = runCliWith(MISSING, VERIFY);
  expect(status).toBe(0);
  expect(stderr).toContain('the plain ones: there is no WebAssembly here]');
});
