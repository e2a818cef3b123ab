import { describe, expect, it } from 'vitest';
import { loadEmbedded } from '../../src/embedded/index.js';
import { generate } from '../../src/index.js';
import { callCli } from './call-cli.js';
import { runCli } from './run-cli.js';

const SHORT = ['--max-tokens', '12', '--seed', '7'];

describe('lockstep generate', () => {
  it('prints the text that generate gives, the same for the same seed, and the seed on standard error', async () => {
    const { model, tokenizer } = await loadEmbedded();
    const params = { temperature: 0.8, top_p: 0.95, max_tokens: 12, seed: 7 };
    const { text } = await generate(model, tokenizer, 'In the beginning', params);
    const run = runCli(['generate', 'In the beginning', ...SHORT]);
    expect(run.stdout).toBe(`In the beginning${text}\n`);
    expect(run.stderr).toContain('seed 7, 12 tokens');
    expect((await callCli(['generate', 'In the beginning', ...SHORT])).stdout).toBe(run.stdout);
    expect((await callCli(['generate', 'In the beginning', '--max-tokens', '12', '--seed', '8'])).stdout).not.toBe(
      run.stdout,
    );
  });

  it('writes a JSON line for each token and one for the end', async () => {
    const lines = (await callCli(['generate', 'And', '--json', '--logprobs', '2', ...SHORT])).stdout
      .trimEnd()
      .split('\n');
    const events = lines.map((line) => JSON.parse(line));
    expect(events).toHaveLength(13);
    expect(events[0]).toMatchObject({ choice: 0, id: expect.any(Number), logprob: expect.any(Number) });
    expect(events[0].topLogprobs).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ finish_reason: 'length', seed: '7' });
  });

  it('gives n texts, each of its own seed, choice i of seed s being the text of seed s + i', async () => {
    const three = (await callCli(['generate', 'And', '--json', '--n', '3', ...SHORT])).stdout.trimEnd().split('\n');
    const idsOf = (choice: number) =>
      three
        .map((line) => JSON.parse(line))
        .filter((event) => event.choice === choice && event.id !== undefined)
        .map(({ id }) => id);
    const nine = (await callCli(['generate', 'And', '--json', '--max-tokens', '12', '--seed', '9'])).stdout
      .trimEnd()
      .split('\n');
    expect(idsOf(2)).toEqual(nine.slice(0, -1).map((line) => JSON.parse(line).id));
    expect(new Set([idsOf(0), idsOf(1), idsOf(2)].map(String)).size).toBe(3);
  });

  it('has a flag for each parameter of a generation', async () => {
    const { model, tokenizer } = await loadEmbedded();
    const [first = 0, second = 0] = tokenizer.encode('And the').concat(tokenizer.encode(' people'));
    const params = { temperature: 0.8, top_p: 0.95, max_tokens: 5, seed: 7, logprobs: 1 };
    const own = {
      logit_bias: { [second]: 2 },
      min_tokens: 2,
      stop_token_ids: [first, 3],
      echo: true,
      stop_waits: true,
    };
    const result = await generate(model, tokenizer, 'And', { ...params, ...own });
    const flags = [
      '--logprobs',
      '1',
      '--logit-bias',
      `{"${second}": 2}`,
      '--min_tokens',
      '2',
      '--stop-token-ids',
      `${first},3`,
      '--echo',
      '--stop-waits',
    ];
    const run = await callCli(['generate', 'And', '--json', '--max-tokens', '5', '--seed', '7', ...flags]);
    const events = run.stdout.trimEnd().split('\n');
    expect(JSON.parse(events[0] as string)).toEqual({ choice: 0, text: 'And', prompt: result.prompt });
    const tokens = events.slice(1, -1).map((line) => JSON.parse(line));
    expect(tokens.map(({ id }) => id)).toEqual(result.ids);
    expect(tokens.map(({ topLogprobs }) => topLogprobs)).toEqual(result.topLogprobs);
    expect(JSON.parse(events.at(-1) as string)).toMatchObject({ usage: result.usage, seed: '7' });
  });

  it('takes a chain of its own', async () => {
    const greedy = (await callCli(['generate', 'And', '--temperature', '0', ...SHORT])).stdout;
    const chain = '[{"use":"temperature","temperature":0}]';
    expect((await callCli(['generate', 'And', '--chain', chain, ...SHORT])).stdout).toBe(greedy);
  });

  it.each([
    {
      args: ['--logit-bias', '{'],
      says: '`logit_bias` must be an object or a Map from ids to finite numbers, got "{"',
    },
    { args: ['--logit-bias', '{"9999": 1}'], says: '`logit_bias.9999` must be absent (the ids are those in [0, ' },
    { args: ['--stop-token-ids', '1,x'], says: '`stop_token_ids[1]` must be an integer >= 0, got "x"' },
    { args: ['--min-tokens', '129'], says: '`min_tokens` must be at most max_tokens, 128, got 129' },
    { args: ['--chain', '[]', '--min-tokens', '1'], says: '`min_tokens` must be a step of the chain given' },
    { args: ['--n', '0'], says: '`n` must be an integer in [1, 1024], got 0' },
    { args: ['--n', '1.5'], says: '`n` must be an integer in [1, 1024], got 1.5' },
    { args: ['--max-tokens', '-1'], says: '`max_tokens` must be an integer >= 1, or 0 with echo, got -1' },
    { args: ['--stop', ''], says: '`stop[0]` must be a non-empty string, got ""' },
    { args: ['--chain', '[]', '--top-p', '0.5'], says: '`top_p` must be a step of the chain given' },
    { args: ['word '.repeat(400)], says: '`prompt` must be at most' },
  ])('answers $args with one line and 2, and prints no text', async ({ args, says }) => {
    const run = await callCli(['generate', ...args]);
    expect(run.stderr).toContain(says);
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(run).toMatchObject({ status: 2, stdout: '' });
  });
});

describe('lockstep repl', () => {
  it('answers prompts, changes parameters between them, and goes on after wrong input', async () => {
    const script = [
      'And it came',
      '/temperature 0',
      'And it came',
      '/top-p 2',
      '/what 1',
      '/params',
      '/quit',
      'unread',
    ];
    const run = runCli(['repl', ...SHORT], script.join('\n'));
    expect(run.status).toBe(0);
    const sampled = (await callCli(['generate', 'And it came', ...SHORT])).stdout.slice('And it came'.length);
    const greedy = (await callCli(['generate', 'And it came', '--temperature', '0', ...SHORT])).stdout.slice(
      'And it came'.length,
    );
    expect(run.stdout).toContain(sampled);
    expect(run.stdout).toContain(greedy);
    expect(run.stdout).toContain('"temperature":0,"top_k":0,"top_p":0.95');
    expect(run.stderr).toContain('`top_p` must be a number in (0, 1], got 2');
    expect(run.stderr).toContain('`what` must be absent');
    expect(run.stdout).not.toContain('unread');
  });

  it('prompts nobody when its input is piped (C4)', () => {
    const run = runCli(['repl', ...SHORT], '/params\n');
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toMatch(/^\{.*\}\n$/);
  });
});

describe('lockstep', () => {
  it('prints its version and its help', async () => {
    expect((await callCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const help = await callCli(['--help']);
    expect(help.status).toBe(0);
    for (const name of ['generate', 'sample', 'trace', 'repl']) expect(help.stdout).toContain(name);
  });
});
