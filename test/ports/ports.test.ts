/**
 * The library and the transcriptions of the spec in other languages give the same bits.
 *
 * PORT_REQUESTS says how many random requests (default 1000). Each tenth of them is one case; the number of the case
 * and of the request in it finds a request again. A port whose toolchain is missing is skipped, and says why.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { Pcg32 } from '../../src/random/pcg32.js';
import { describeRequest, difference } from './differences.js';
import { drawInTurns, library, portWorker, type Worker } from './hand-off.js';
import { answerByFunctions, answerBySampler } from './library.js';
import { goldenRequests, LONG_REQUESTS } from './long-requests.js';
import { ODD_PARAMS } from './odd-params.js';
import { type Port, TOOLCHAINS, type Toolchain } from './port.js';
import { type PortAnswer, type PortRequest, randomPortRequest } from './request.js';

const NUMBERS = Array.from({ length: 10 }, (_, n) => n);
const EACH = Math.ceil(Number(process.env.PORT_REQUESTS ?? 1000) / NUMBERS.length);

interface Case {
  readonly request: PortRequest;
  /** The library's, by the functions of the contract. */
  readonly answer: PortAnswer;
}

/** Made when first asked for: each port is asked the same. */
const made = new Map<number, readonly Case[]>();
const running = new Map<Toolchain, Port>();
afterAll(() => Promise.all([...running.values()].map((port) => port.stop())));

function requestsOf(n: number): readonly Case[] {
  return remember(made, n, () => {
    const random = new Pcg32(n, 1000);
    return Array.from({ length: EACH }, (_, i) => {
      const request = randomPortRequest(random, i);
      return { request, answer: answerByFunctions(request) };
    });
  });
}

function portOf(toolchain: Toolchain): Port {
  return remember(running, toolchain, () => toolchain.start());
}

function remember<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

describe('the random requests', () => {
  it('hold sampled, greedy and refused ones, small and large', () => {
    const all = NUMBERS.flatMap(requestsOf);
    const share = (is: (one: Case) => boolean) => all.filter(is).length / all.length;
    const refused = share(({ answer }) => 'error' in answer);
    expect(refused).toBeGreaterThan(0.01);
    expect(refused).toBeLessThan(0.2);
    expect(share(({ request, answer }) => request.params.temperature === 0 && 'ids' in answer)).toBeGreaterThan(0.01);
    expect(share(({ request }) => request.logits.length > 1000)).toBeGreaterThan(0.03);
  });

  it('get from a sampler what they get from the functions', () => {
    const differences: string[] = [];
    for (const { request, answer } of NUMBERS.flatMap(requestsOf)) {
      if (request.skip < 0 || request.skip > Number.MAX_SAFE_INTEGER) continue; // no sampler has drawn so many
      const found = difference(answer, answerBySampler(request));
      if (found !== undefined) differences.push(`${found}\n${describeRequest(request)}`);
    }
    expect(differences).toEqual([]);
  });
});

const SMALL = { logits: [1, 3, 2, 3, -1], history: [1, 1], prompt: [4], seed: 5, skip: 1, tokens: 2, digest: false };

const NAMED = TOOLCHAINS.map((toolchain) => [toolchain.name, toolchain] as const);

describe.each(NAMED)('the port in %s', (_, toolchain) => {
  const { missing } = toolchain;
  const reason = missing === undefined ? '' : ` (skipped: ${missing})`;
  const test = it.skipIf(missing !== undefined);

  test.each(NUMBERS)(`answers ${EACH} random requests with the same bits, case %i${reason}`, async (n) => {
    const differences: string[] = [];
    for (const [i, { request, answer }] of requestsOf(n).entries()) {
      const found = difference(await portOf(toolchain).ask(request), answer);
      if (found !== undefined) differences.push(`case ${n}, request ${i}: ${found}\n${describeRequest(request)}`);
    }
    expect(differences).toEqual([]);
  });

  test(`refuses the ${ODD_PARAMS.length} odd parameters that the library refuses${reason}`, async () => {
    const differences: string[] = [];
    for (const params of ODD_PARAMS) {
      const request = { ...SMALL, params };
      const found = difference(await portOf(toolchain).ask(request), answerByFunctions(request));
      if (found !== undefined) differences.push(`${found}\n${describeRequest(request)}`);
    }
    expect(differences).toEqual([]);
  });

  test(`gives the golden ids and logprobs${reason}`, async () => {
    for (const { request, ids, logprob_bits } of goldenRequests()) {
      expect(await portOf(toolchain).ask(request)).toMatchObject({ ids, logprob_bits });
    }
  });

  test.each(LONG_REQUESTS)(
    `goes on where the library stopped, and the other way round: %s${reason}`,
    async (_, request) => {
      const port = portWorker(portOf(toolchain));
      const alone = await drawInTurns(request, [library], request.tokens);
      expect(await drawInTurns(request, [library, port], request.tokens / 2)).toEqual(alone);
      expect(await drawInTurns(request, [port, library], request.tokens / 2)).toEqual(alone);
    },
  );
});

const present = TOOLCHAINS.filter(({ missing }) => missing === undefined);

describe(`a request drawn in turns: ${['TypeScript', ...present.map(({ name }) => name)].join(', ')}`, () => {
  it.each(LONG_REQUESTS)('has the tokens that one of them draws alone: %s', async (_, request) => {
    const workers: Worker[] = [library, ...present.map((toolchain) => portWorker(portOf(toolchain)))];
    const alone = await drawInTurns(request, [library], request.tokens);
    expect(await drawInTurns(request, workers, 3)).toEqual(alone);
  });
});
