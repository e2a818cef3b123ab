import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { canonicalJson, fingerprint } from '../../src/chain/fingerprint.js';
import { createSampler, ProcessorChain, TopK } from '../../src/index.js';

describe('canonicalJson', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ b: { d: 0, c: -0 } }, '{"b":{"c":0,"d":0}}'],
    [{ 10: 1, 9: 2, é: 3 }, '{"10":1,"9":2,"é":3}'],
    [{ a: undefined, b: 1e-7 }, '{"b":1e-7}'],
    [Object.create(null), '{}'],
    ['\ud800"\n', '"\\ud800\\"\\n"'],
  ])('writes %j in one way', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('writes what JSON brings back as before, whatever the order of the keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(JSON.parse(JSON.stringify(value), reversed))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each<[unknown, string]>([
    [{ a: [Number.NaN] }, 'fingerprint: `chain.a[0]` must be a value that JSON holds, got NaN'],
    [Number.POSITIVE_INFINITY, 'fingerprint: `chain` must be a value that JSON holds, got Infinity'],
    [[1n], 'fingerprint: `chain[0]` must be a value that JSON holds, got 1n'],
    [{ m: new Map() }, 'fingerprint: `chain.m` must be a value that JSON holds, got a Map'],
    [[undefined], 'fingerprint: `chain[0]` must be a value that JSON holds, got undefined'],
  ])('refuses %s', (value, message) => {
    expect(() => canonicalJson(value, 'chain')).toRefuse(message);
  });
});

describe('fingerprint', () => {
  it('is the SHA-256 that the platform gives', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(fingerprint(value)).toBe(createHash('sha256').update(canonicalJson(value)).digest('hex'));
      }),
    );
  });
});

describe('the fingerprint of a chain', () => {
  it('is that of SHA-256 over the chain as canonical JSON', async () => {
    const chain = new ProcessorChain([new TopK({ k: 3 })]);
    const bytes = new TextEncoder().encode('[{"use":"logprobs"},{"k":3,"use":"top-k"}]');
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    expect(chain.fingerprint()).toBe([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  });

  it('holds the versions of what is behind its steps, where there are any', () => {
    const chain = (...versions: (string | undefined)[]) =>
      new ProcessorChain(versions.map((version) => ({ name: 'a', process: () => {}, ...(version && { version }) })));
    const data = chain(undefined, undefined).toData();
    expect(chain(undefined, undefined).fingerprint()).toBe(fingerprint(data));
    expect(chain('x', 'y').fingerprint()).toBe(fingerprint({ chain: data, versions: { a: 'x', 'a 2': 'y' } }));
    expect(chain(undefined, 'y').fingerprint()).toBe(fingerprint({ chain: data, versions: { 'a 2': 'y' } }));
    expect(chain('x', 'y').toData()).toEqual(data);
    expect(() => chain('x', 1 as unknown as string)).toRefuse(
      'ProcessorChain: `steps[1].version` must be a non-empty string, got 1',
    );
  });

  it('is the same for the same chain, another for another option, order or place of the logprobs', () => {
    const sampler = () => createSampler({ seed: 1, top_k: 3, repetition_penalty: 1.1 });
    expect(sampler().chain.fingerprint()).toBe(sampler().chain.fingerprint());
    const steps = [new TopK({ k: 3 }), new TopK({ k: 4 })];
    const others = [
      new ProcessorChain(steps),
      new ProcessorChain(steps, { tap: 1 }),
      new ProcessorChain([...steps].reverse()),
      new ProcessorChain(steps.slice(1)),
    ];
    expect(new Set(others.map((chain) => chain.fingerprint())).size).toBe(4);
  });

  it('is refused with an option that JSON does not hold', () => {
    const step: LogitsProcessor = { name: 'mine', options: { rule: () => 1 }, process: () => {} };
    expect(() => new ProcessorChain([step]).fingerprint()).toRefuse(
      'fingerprint: `chain[1].rule` must be a value that JSON holds, got a function (rule)',
    );
  });
});

/** A reviver that turns the order of the keys around. */
function reversed(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).reverse());
}
