/**
 * D2: a tokenizer may give ids in a typed array, so that one is taken wherever ids are.
 */
import { describe, expect, it } from 'vitest';
import {
  AllowedTokens,
  BadWords,
  BannedTokens,
  constraintFrom,
  MinTokens,
  SuppressAtBegin,
} from '../../../processors/index.js';
import { createSampler, ProcessorChain } from '../../../src/index.js';

const LOGITS = [3, 2, 1, 0];

const STEPS = [
  { name: 'AllowedTokens', make: (ids: never) => new AllowedTokens({ ids }), field: 'ids', best: 1 },
  { name: 'BannedTokens', make: (ids: never) => new BannedTokens({ ids }), field: 'ids', best: 0 },
  { name: 'SuppressAtBegin', make: (ids: never) => new SuppressAtBegin({ ids }), field: 'ids', best: 0 },
  { name: 'MinTokens', make: (end_ids: never) => new MinTokens({ min_tokens: 1, end_ids }), field: 'end_ids', best: 0 },
  { name: 'BadWords', make: (word: never) => new BadWords({ words: [word] }), field: 'words[0]', best: 0 },
] as const;

describe.each(STEPS)('$name', ({ name, make, field, best }) => {
  it.each([Int32Array.of(1), Uint32Array.of(1), Uint16Array.of(1), Float64Array.of(1)])(
    'takes ids in a typed array, and has them as a plain frozen list: %o',
    (ids) => {
      const [typed, plain] = [make(ids as never), make([1] as never)];
      expect(typed.options).toStrictEqual(plain.options);
      expect(typed.options).toSatisfy(Object.isFrozen);
      const [a, b] = [new ProcessorChain([typed]), new ProcessorChain([plain])];
      expect(JSON.stringify(a.toData())).toBe(JSON.stringify(b.toData()));
      expect(a.fingerprint()).toBe(b.fingerprint());
      const sampler = createSampler({ temperature: 0 }, { before: [typed] });
      expect(sampler.sample(LOGITS).id).toBe(best);
    },
  );

  it('keeps a copy: what the caller writes afterwards changes nothing', () => {
    const ids = Int32Array.of(1);
    const step = make(ids as never);
    ids[0] = 3;
    expect(step.options).toStrictEqual(make([1] as never).options);
  });

  it('refuses bigints and bytes without elements by name', () => {
    expect(() => make(BigInt64Array.of(1n) as never)).toRefuse(
      `${name}: \`${field}[0]\` must be an integer >= 0, got 1n`,
    );
    expect(() => make(new DataView(new ArrayBuffer(4)) as never)).toThrow(`${name}: \`${field}\` must be `);
    expect(() => make(Float32Array.of(1, 0.5) as never)).toRefuse(
      `${name}: \`${field}[1]\` must be an integer >= 0, got 0.5`,
    );
  });
});

describe('constraintFrom', () => {
  it('takes end ids in a typed array', () => {
    const constraint = constraintFrom(() => Int32Array.of(0, 1), Int32Array.of(1));
    expect(constraint.isComplete()).toBe(true);
    constraint.advance(1);
    expect(constraint.done).toBe(true);
    expect(() => constraintFrom(() => [], BigInt64Array.of(1n) as never)).toRefuse(
      'constraintFrom: `endIds[0]` must be an integer >= 0, got 1n',
    );
  });
});
