/**
 * Generations that move: saved before each event of 50 mixed requests and after the last, restored in a fresh process (one
 * for all of them), and compared with the run that stayed. Both are JSON, where equal texts are equal bits of every number.
 * The other process runs what `npm test` builds first.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreGeneration } from '../../src/decode/run/restore-generation.js';
import {
  container,
  EMBEDDED_REQUESTS,
  modelOf,
  parse,
  type Request,
  type Stayed,
  scriptedRequests,
  stay,
  type Timeless,
  withoutTiming,
} from './requests.js';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
const REQUESTS: readonly Request[] = [...scriptedRequests(44), ...EMBEDDED_REQUESTS];

/** What the other process writes of one state. */
interface Answer {
  readonly again: string;
  readonly events: readonly Timeless[];
  readonly result: Timeless;
}

const folder = mkdtempSync(join(tmpdir(), 'lockstep-'));
afterAll(() => rmSync(folder, { recursive: true }));

const stayed: Stayed[] = [];
const answers: Answer[][] = [];

beforeAll(async () => {
  for (const request of REQUESTS) stayed.push(await stay(request));
  const all = stayed.flatMap(({ states }, n) =>
    states.map((state) => ({ model: REQUESTS[n]?.contextLength, state: parse(state) })),
  );
  const [from, to] = [join(folder, 'states.json'), join(folder, 'answers.json')];
  writeFileSync(from, JSON.stringify(all));
  execFileSync(process.execPath, [WORKER, from, to]);
  const given = JSON.parse(readFileSync(to, 'utf8')) as Answer[];
  for (const { states } of stayed) answers.push(given.splice(0, states.length));
});

describe('the requests', () => {
  it('have what there is: stops of every kind, held-back text and bytes, echo, states, bias, chains, both windows', () => {
    const states = stayed.flatMap((one) => one.states.map(parse));
    const endings = stayed.map(({ events }) => events.at(-1) as Timeless);
    for (const kind of ['string', 'number', 'undefined']) {
      expect(endings.filter(({ stopped_by }) => typeof stopped_by === kind).length, kind).toBeGreaterThan(4);
    }
    expect(states.filter(({ held }) => held.text !== '').length).toBeGreaterThan(10);
    expect(states.filter(({ held }) => held.bytes.length > 0).length).toBeGreaterThan(10);
    expect(states.filter(({ echo }) => echo !== null).length).toBeGreaterThan(10);
    expect(states.filter(({ whenFull }) => whenFull === 'slide').length).toBeGreaterThan(10);
    expect(states.filter(({ ending, ended }) => ending !== null && !ended).length).toBeGreaterThan(4);
    const used = new Set(states.flatMap(({ sampler }) => sampler.chain.map(({ use }) => use)));
    for (const use of ['recent', 'runs', 'grammar', 'logit-bias', 'min-tokens', 'no-repeat-ngram', 'top-p'])
      expect(used).toContain(use);
    const tokens = stayed.flatMap(({ events }) => events.filter(({ type }) => type === 'token'));
    expect(tokens.length).toBeGreaterThan(350);
  });
});

describe('a generation that moves to another process', () => {
  it.each(REQUESTS.map((_, n) => n))('goes on from any event as if it had stayed: request %i', (n) => {
    const { events, states } = stayed[n] as Stayed;
    states.forEach((state, position) => {
      const { again, events: moved, result } = (answers[n] as Answer[])[position] as Answer;
      const rest = events.slice(position);
      expect(again).toBe(state);
      expect(JSON.stringify(moved)).toBe(JSON.stringify(rest));
      const end = events.at(-1) as Timeless;
      expect(result).toMatchObject({
        text: rest.map(({ text }) => text).join(''),
        ids: rest.filter(({ type }) => type === 'token').map(({ id }) => id),
        finish_reason: end.finish_reason,
        usage: end.usage,
        seed: parse(state).sampler.seed,
      });
      expect(result.stopped_by).toBe(end.stopped_by);
    });
  });

  it.each([0, 1, 2, 3, 4, 5, 45, 47, 48, 49])('may move after every event: request %i', async (n) => {
    const { events, states } = stayed[n] as Stayed;
    const { model, tokenizer } = modelOf(REQUESTS[n] as Request);
    let letter = states[0] as string;
    for (const [position, event] of events.entries()) {
      const generation = restoreGeneration(model, tokenizer, parse(letter), { container });
      const { value } = await generation[Symbol.asyncIterator]().next();
      expect(JSON.stringify(withoutTiming(value as object))).toBe(JSON.stringify(event));
      letter = JSON.stringify(generation.save());
      expect(letter).toBe(states[position + 1]);
    }
  });
});
