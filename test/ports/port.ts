/**
 * A port as a running process: one JSON line in, one out.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type PortAnswer, type PortRequest, requestLine } from './request.js';

export class Port {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;
  readonly #gone: Promise<void>;

  /** @param leave runs once the process has gone */
  constructor(
    command: string,
    args: readonly string[],
    private readonly leave: () => void = () => undefined,
  ) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.#gone = new Promise((resolve) => this.#process.once('close', () => resolve()));
    this.#process.stdin.on('error', () => undefined); // it has gone: the answer that is missing tells
  }

  async ask(request: PortRequest): Promise<PortAnswer> {
    this.#process.stdin.write(`${requestLine(request)}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error('the port ended without an answer');
    return JSON.parse(value) as PortAnswer;
  }

  /** Ends its input, and waits until it has gone. Nothing was asked and not answered. */
  async stop(): Promise<void> {
    this.#process.stdin.end();
    await this.#gone;
    this.leave();
  }
}

export interface Toolchain {
  readonly name: string;
  /** Why the port cannot run here; undefined when it can. */
  readonly missing: string | undefined;
  /** Builds what needs building, and starts it. */
  start(): Port;
}

const path = (relative: string) => fileURLToPath(new URL(`../../fixtures/${relative}`, import.meta.url));

export const TOOLCHAINS: readonly Toolchain[] = [
  {
    name: 'Python',
    missing: whyMissing('python3'),
    start: () => new Port('python3', [path('sampler_golden.py'), '--serve']),
  },
  { name: 'Rust', missing: whyMissing('cargo'), start: startRust },
];

/** The bits promised are those of glibc; another libm's exp and log differ in the last one. */
function whyMissing(command: string): string | undefined {
  if (process.platform !== 'linux') return `no glibc on ${process.platform}`;
  return spawnSync(command, ['--version']).status === 0 ? undefined : `no ${command} on this machine`;
}

/** Built in a folder that goes with the port. */
function startRust(): Port {
  const target = mkdtempSync(join(tmpdir(), 'lockstep-port-'));
  const remove = () => rmSync(target, { recursive: true });
  const options = ['--release', '--offline', '--locked', '--quiet', '--jobs', '1', '--target-dir', target];
  const build = spawnSync('cargo', ['build', ...options, '--manifest-path', path('ports/rust/Cargo.toml')]);
  if (build.status === 0) return new Port(join(target, 'release', 'lockstep-port'), [], remove);
  remove();
  throw new Error(`cargo build: ${build.stderr}`);
}
