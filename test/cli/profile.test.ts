import { describe, expect, it } from 'vitest';
import { loadEmbedded } from '../../src/embedded/index.js';
import { generate } from '../../src/index.js';
import { PROFILE_NAMES, PROFILES, profileChain } from '../../src/profiles/index.js';
import { callCli } from './call-cli.js';

const LOGITS = '[1, 3, 2, 3, -1]';

async function chainOf(args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await callCli(['trace', '--json', ...args], LOGITS);
  if (stdout === '') throw new Error(stderr);
  const { steps } = JSON.parse(stdout) as { steps: { name: string; options: object }[] };
  return JSON.stringify(steps.map(({ name, options }) => ({ use: name, ...options })));
}

const REFUSED: readonly [args: readonly string[], line: string][] = [
  [['--profile', 'openai'], '`--profile` must be one of spec, huggingface'],
  [['--profile', 'llama.cpp', '--n-predict', '8'], '`--n-predict` must be absent: it belongs to the request'],
  [['--profile', 'vllm', '--min-tokens', '2'], '`--min-tokens` must be absent: it needs the end ids'],
  [['--profile', 'llama.cpp', '--tfs-z'], '`--tfs-z` must be absent: the system does not have it any more'],
  [['--profile', 'llama.cpp', '--top-p', 'x'], '`--top-p` must be a finite number, got "x"'],
  [
    ['--profile', 'llama.cpp', '--temp', '1', '--temperature', '1'],
    '`--temp` must be absent beside its other name, temperature',
  ],
  [['--profile', 'llama.cpp', '--top-k', '1', '--top_k', '1'], '`--top-k` must be given once'],
  [['--profile', 'llama.cpp', '--epsilon-cutoff', '1'], "unknown option '--epsilon-cutoff'"],
  [['--profile', 'pvml', '--min-p', '0.1'], "unknown option '--min-p'"],
  [['--profile', 'pvml', '--chain', '[]'], '`--chain` must be absent beside --profile'],
  [['--profile', 'huggingface', '--top-p', '0.9'], '`--top-p` must be absent: it needs do_sample'],
];

describe('--profile', () => {
  it('generates what the profile with the same parameters generates', async () => {
    const { model, tokenizer } = await loadEmbedded();
    const chain = profileChain('llama.cpp', { top_k: 9, temperature: 0.7 });
    const { text } = await generate(model, tokenizer, 'And', { max_tokens: 6, seed: 7 }, { chain });
    const flags = ['--profile', 'llama.cpp', '--temp', '0.7', '--top-k', '9', '--max-tokens', '6', '--seed', '7'];
    expect((await callCli(['generate', 'And', ...flags])).stdout).toBe(`And${text}\n`);
  });

  it.each([
    ['vllm', ['--top-k', '3', '--min_p', '0.1'], { top_k: 3, min_p: 0.1 }],
    [
      'vllm',
      ['--logit-bias', '{"1": 2}', '--allowed-token-ids', '1,2'],
      { logit_bias: { 1: 2 }, allowed_token_ids: [1, 2] },
    ],
    ['llama.cpp', ['--samplers', 'top_k;temperature'], { samplers: ['top_k', 'temperature'] }],
    ['llama.cpp', ['--sampler-seq', 'tk', '--min-keep', '1'], { sampler_seq: 'tk', min_keep: 1 }],
    [
      'huggingface',
      ['--do-sample', '--top_p', '0.5', '--suppress-tokens', '4'],
      { do_sample: true, top_p: 0.5, suppress_tokens: [4] },
    ],
    ['spec', ['--top-k', '2'], { top_k: 2 }],
  ])('%s reads %o', async (name, args, params) => {
    const chain = profileChain(name as string, params as Record<string, unknown>).filter(
      ({ use }) => use !== 'logprobs',
    );
    expect(await chainOf([`--profile=${name}`, ...(args as string[])])).toBe(JSON.stringify(chain));
  });

  it.each(REFUSED)('refuses %o, naming the flag', async (args, line) => {
    const run = await callCli(['trace', ...args], LOGITS);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(line);
  });

  it.each(PROFILES.map((profile) => [profile.name, profile] as const))('has help of %s', async (name, profile) => {
    const { stdout } = await callCli(['generate', '--profile', name, '--help']);
    const [flat, missing] = [stdout.replace(/\s+/g, ' '), (text: string) => !flat.includes(text)];
    expect(Object.keys(profile.params).filter((param) => missing(`--${param.replaceAll('_', '-')}`))).toEqual([]);
    expect([...profile.differs, profile.system].filter(missing)).toEqual([]);
    const unsaid = Object.keys(profile.refused).filter(
      (param) => missing(param) && missing(`--${param.replaceAll('_', '-')}`),
    );
    expect(unsaid.filter((param) => param !== 'format')).toEqual([]);
  });

  it('is named, with all profiles, in the help of a command without one', async () => {
    const { stdout } = await callCli(['sample', '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(PROFILE_NAMES.join(', '));
  });

  it('behind -- is a prompt', async () => {
    const run = await callCli(['generate', '--max-tokens', '1', '--seed', '1', '--', '--profile']);
    expect(run.status).toBe(0);
    expect(run.stdout.startsWith('--profile')).toBe(true);
  });
});
