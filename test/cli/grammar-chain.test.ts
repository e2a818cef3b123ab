/**
 * `lockstep generate` with a chain that has a grammar: what it does not enforce is said, as JSON and beside the text.
 */
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.js';

const CHAIN = JSON.stringify([
  {
    use: 'grammar',
    json_schema: { type: 'array', items: { enum: [true, false] }, maxItems: 2, uniqueItems: true },
    unsupported: 'warn',
  },
  { use: 'temperature', temperature: 0.8 },
]);
const REPORT = { warnings: [{ keyword: 'uniqueItems', place: '/uniqueItems', reason: 'not enforced' }] };

describe('lockstep generate with a grammar', () => {
  it('says in the last JSON line what the grammar does not enforce', () => {
    const { status, stdout, stderr } = runCli(['generate', 'And ', '--json', '--seed', '3', '--chain', CHAIN]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(Array.isArray(JSON.parse(events.map(({ text }) => text).join('')))).toBe(true);
    expect(events.at(-1)).toMatchObject({ finish_reason: 'stop', reports: { grammar: REPORT } });
  });

  it('says it in a line below the text', () => {
    const { status, stderr } = runCli(['generate', 'And ', '--seed', '3', '--chain', CHAIN]);
    expect(status).toBe(0);
    expect(stderr.trim().split('\n').at(-1)).toBe(`[grammar: ${JSON.stringify(REPORT)}]`);
  });

  it.each([
    ['a grammar that is none', '[{"use":"grammar","regex":"("}]', /^lockstep: Grammars: `regex` must be [^\n]*\n$/],
    ['a chain that is none', 'null', /^lockstep: [^\n]*`chain` must be [^\n]*, got "?null"?\n$/],
  ])('refuses %s in one line', (_, chain, message) => {
    const { status, stdout, stderr } = runCli(['generate', 'And ', '--chain', chain]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
