/**
 * `--module`: processors and parts of one's own on the command line.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { callCli } from './call-cli.js';
import { runCli } from './run-cli.js';

const at = (name: string) => fileURLToPath(new URL(`modules/${name}.mjs`, import.meta.url));
const OWN = at('own');
const CHAIN = JSON.stringify([{ use: 'near-best', gap: 1.5 }]);
const BEGINS = JSON.stringify([{ use: 'begins', letter: ' ' }]);

describe('lockstep with a module of one’s own', () => {
  it('samples with its processors and its parts', async () => {
    const args = ['sample', '--seed', '3', '--chain', CHAIN, '--module', OWN];
    const { status, stdout, stderr } = await callCli(args, '[1, 3, 2, 3]');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, seed: '3', draws: 1 });
  });

  it('traces with them, by a path from the folder that it is called in, and by a URL', async () => {
    for (const module of ['test/cli/modules/own.mjs', new URL('modules/own.mjs', import.meta.url).href]) {
      const args = ['trace', '--json', '--chain', CHAIN, '--module', module];
      const { status, stdout } = await callCli(args, '[1, 3, 2, 3]');
      expect(status).toBe(0);
      expect(JSON.parse(stdout).steps.map(({ name }: { name: string }) => name)).toEqual(['near-best']);
    }
  });

  it('generates with a processor that is given the tokenizer', () => {
    const args = ['generate', 'And', '--json', '--max-tokens', '4', '--chain', BEGINS, '--module', OWN];
    const { status, stdout, stderr } = runCli(args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: number; text: string });
    const texts = events.filter(({ id }) => id !== undefined).map(({ text }) => text);
    expect(texts).toHaveLength(4);
    expect(texts.filter((text) => !text.startsWith(' '))).toEqual([]);
  });

  it('generates with it beside a grammar, and without a command', () => {
    const chain = JSON.stringify([
      { use: 'grammar', regex: '( [a-z]{1,8}){2}' },
      { use: 'begins', letter: ' ' },
    ]);
    const { status, stdout } = runCli(['--json', '--max-tokens', '1', '--chain', chain, '--module', OWN]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout.split('\n')[0] as string).text).toMatch(/^ /);
  });

  it('answers a prompt loop with its parts', () => {
    const args = ['repl', '--max-tokens', '3', '--module', OWN];
    const [one, two] = [runCli([...args, '--seed', '1'], 'And\n'), runCli([...args, '--seed', '2'], 'And\n')];
    expect(one.status).toBe(0);
    expect(one.stdout).toBe(two.stdout); // the uniforms of the module are no seed's
    expect(runCli(['repl', '--max-tokens', '3', '--seed', '1'], 'And\n').stdout).not.toBe(one.stdout);
  });

  it('gives steps of the package the tokenizer too', async () => {
    const chain = JSON.stringify([
      { use: 'text-bias', bias: { ' God': 1e6, ' Lord': 1e5 } },
      { use: 'bad-words', words: ['God'] },
    ]);
    const { status, stdout } = await callCli(['generate', 'And', '--max-tokens', '2', '--chain', chain]);
    expect([status, stdout.trimEnd()]).toEqual([0, 'And Lord Lord']);
  });

  it('says what a processor lacks where there are only logits', async () => {
    const { status, stderr } = await callCli(['sample', '--chain', BEGINS, '--module', OWN], '[1, 3]');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^lockstep: begins: `tokenizer` must be there, as the processor needs it: [^\n]*\n$/);
  });

  it.each([
    ['no file', 'nowhere.mjs', /`module` must be a file that is there, got "nowhere.mjs"/],
    ['a folder', 'test/cli', /`module` must be a file that is there, got "test\/cli"/],
    ['no address', 'file://', /`module` must be a file that is there, got "file:\/\/"/],
    [
      'a module that throws',
      at('throws'),
      /`module` must be a module that can be loaded \(TypeError: not today\), got/,
    ],
    [
      'a module without the export',
      at('no-container'),
      /`module` must be a module that exports a `container` .* \(it exports containers, default\), got/,
    ],
    [
      'a module with another export',
      at('other-container'),
      /`module` must be a module that exports a `container` .* \(it exports container\), got/,
    ],
    [
      'a scheme that is not loaded',
      'nosuch:thing',
      /`module` must be a module that can be loaded \(Error: [^\n]*, got "nosuch:thing"/,
    ],
  ])('refuses %s in one line', async (_, module, message) => {
    const { status, stdout, stderr } = await callCli(['sample', '--module', module], '[1]');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it.each(['generate', 'sample', 'trace', 'repl'])('says so in the help of %s', async (command) => {
    const { stdout } = await callCli([command, '--help']);
    expect(stdout).toContain('--module <file>');
  });
});
