/**
 * The command line as people use it: wrong commands, piped prompts, Ctrl-C, readers that have had enough (C2, C4).
 */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { callCli } from './call-cli.js';
import { MAIN, runCli } from './run-cli.js';

const SHORT = ['--max-tokens', '5', '--seed', '7'];

/** Runs the command line with its output cut off, or Ctrl-C sent, as soon as there is some. */
function runUntilOutput(args: readonly string[], act: 'close' | 'interrupt') {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  child.stdout.once('data', () => (act === 'close' ? child.stdout.destroy() : child.kill('SIGINT')));
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
}

describe('lockstep, given no command that there is (C2)', () => {
  it.each([
    { args: ['foo'], says: "unknown command 'foo' (a prompt goes behind the command generate)" },
    { args: ['verfy', '--groups', 'golden'], says: "unknown command 'verfy' (Did you mean verify?)" },
    { args: ['In the beginning'], says: "unknown command 'In the beginning'" },
    { args: ['--seed', '7', 'verify'], says: '`command` must be before the flags, got "verify"' },
  ])('refuses $args with one line and 2', async ({ args, says }) => {
    const run = await callCli(args);
    expect(run.stderr).toContain(says);
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(run).toMatchObject({ status: 2, stdout: '' });
  });

  it('prints a passage without a command, and does not read standard input', async () => {
    const passage = await callCli(SHORT);
    expect(passage).toMatchObject({ status: 0, stdout: (await callCli(['generate', ...SHORT])).stdout });
    expect(runCli(SHORT, 'unread')).toMatchObject({ status: 0, stdout: passage.stdout });
  });
});

describe('lockstep generate, with a prompt on standard input (C2)', () => {
  it.each([
    { why: 'without an argument', args: [], input: 'In the beginning' },
    { why: 'without the line break that echo adds', args: [], input: 'In the beginning\n' },
    { why: 'for -', args: ['-'], input: 'In the beginning\r\n' },
    { why: 'but not beside an argument', args: ['In the beginning'], input: 'unread' },
  ])('takes it $why', async ({ args, input }) => {
    const { stdout } = await callCli(['generate', 'In the beginning', ...SHORT]);
    expect(await callCli(['generate', ...args, ...SHORT], input)).toMatchObject({ status: 0, stdout });
  });

  it('takes it from a pipe, as a program', async () => {
    const { stdout } = await callCli(['generate', 'In the beginning', ...SHORT]);
    expect(runCli(['generate', ...SHORT], 'In the beginning\n')).toMatchObject({ status: 0, stdout });
  });

  it('takes off one line break and no more', async () => {
    const { stdout } = await callCli(['generate', '--json', '--echo', ...SHORT], 'And\n\n');
    expect(stdout.split('\n')[0]).toBe('{"choice":0,"text":"And\\n"}');
  });

  it('refuses bytes that are no text', async () => {
    const run = await callCli(['generate', ...SHORT], Uint8Array.of(65, 0xff));
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toBe('lockstep: `prompt` must be UTF-8 text, got "2 other bytes"\n');
  });
});

/** Goes on for longer than any test waits. */
const LONG = ['generate', 'And', '--slide', '--max-tokens', '1000', '--seed', '1'];

describe('lockstep generate, ended from outside', () => {
  it('ends the line and says so after Ctrl-C, with exit 130', async () => {
    const { code, stdout, stderr } = await runUntilOutput(LONG, 'interrupt');
    expect(code).toBe(130);
    expect(stdout).toMatch(/^And[\s\S]*\n$/);
    expect(stderr).toMatch(/^\[seed 1, \d+ tokens, interrupted\]\n$/);
  });

  it('ends quietly when nobody reads on (C4)', async () => {
    expect(await runUntilOutput(LONG, 'close')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('lockstep, at a fault of its own', () => {
  it('says so in one line, with exit 1', async () => {
    const { reportFailure } = await import('../../src/cli/failure.js');
    const said: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = ((text: string) => said.push(text) > 0) as typeof write;
    try {
      expect(reportFailure(new TypeError('a is\nnot b'))).toBe(1);
      expect(reportFailure('thrown as text')).toBe(1);
    } finally {
      process.stderr.write = write;
    }
    expect(said).toEqual([
      'lockstep: a fault of this program, not of its input: TypeError: a is not b (LOCKSTEP_STACK=1 shows where)\n',
      'lockstep: a fault of this program, not of its input: string: thrown as text (LOCKSTEP_STACK=1 shows where)\n',
    ]);
  });
});
