/**
 * The prompt loop at a real terminal: a pseudo-terminal that `script` of util-linux holds (C1). Skipped where there is none.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { MAIN } from './run-cli.js';

const missing = !spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');
const reason = missing ? ' (skipped: no `script` of util-linux)' : '';
const [CTRL_C, CTRL_D] = ['\x03', '\x04'];

/** Somebody at a terminal: types, and waits for what the screen shows. */
class Terminal {
  readonly #child: ChildProcessWithoutNullStreams;
  #unseen = '';
  #all = '';
  #wake = () => {};
  readonly closed: Promise<number | null>;

  constructor(args: readonly string[]) {
    const command = [process.execPath, MAIN, ...args].map((part) => `'${part}'`).join(' ');
    this.#child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, TERM: 'dumb' } });
    this.#child.stdout.on('data', (data) => {
      this.#unseen += data;
      this.#all += data;
      this.#wake();
    });
    this.closed = new Promise((resolve) => this.#child.on('close', resolve));
    void this.closed.then(() => this.#wake());
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** Waits until the screen has shown `pattern` since what was waited for before. */
  async sees(pattern: RegExp): Promise<void> {
    for (;;) {
      const match = pattern.exec(this.#unseen);
      if (match !== null) {
        this.#unseen = this.#unseen.slice(match.index + match[0].length);
        return;
      }
      if (this.#child.exitCode !== null) throw new Error(`ended without ${pattern}: ${JSON.stringify(this.#all)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** A text that goes on for longer than the test waits. */
const LONG = ['repl', '--slide', '--max-tokens', '1000', '--seed', '1'];

describe.skipIf(missing)(`lockstep repl, at a terminal${reason}`, () => {
  it('ends a text at Ctrl-C, brings the prompt back, says at an empty one how to leave, and leaves at Ctrl-D', async () => {
    const terminal = new Terminal(LONG);
    await terminal.sees(/> /);
    terminal.type('And\r');
    await terminal.sees(/And[\r\n]+.*\w/);
    terminal.type(CTRL_C);
    await terminal.sees(/\[seed 1, \d+ tokens, interrupted\]\s+> /);
    terminal.type('/max_tokens 3\r');
    terminal.type('/params\r');
    await terminal.sees(/"max_tokens":3,[\s\S]*> /);
    terminal.type('And\r');
    await terminal.sees(/\[seed 1, 3 tokens, \d+\/s, length\]\s+> /);
    terminal.type('not meant');
    terminal.type(CTRL_C);
    terminal.type(CTRL_C);
    await terminal.sees(/\(Ctrl-D or \/quit leaves\)\s+> /);
    terminal.type(CTRL_D);
    expect(await terminal.closed).toBe(0);
  });
});

describe.skipIf(missing)(`lockstep, at a terminal${reason}`, () => {
  it('begins by itself rather than wait for a prompt that nobody types (C2)', async () => {
    const terminal = new Terminal(['generate', '--max-tokens', '3', '--seed', '7']);
    await terminal.sees(/\[seed 7, 3 tokens/);
    expect(await terminal.closed).toBe(0);
  });

  it('refuses to wait for logits that nobody types (C2)', async () => {
    const terminal = new Terminal(['sample']);
    await terminal.sees(/`file` must be given, or the logits piped to standard input/);
    expect(await terminal.closed).toBe(2);
  });
});
