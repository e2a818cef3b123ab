import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenHistory } from '../../src/core.js';
import { Pcg32 } from '../../src/random/index.js';

describe('TokenHistory', () => {
  it('keeps what a count over the whole history gives', () => {
    const ids = fc.array(fc.nat(9), { maxLength: 30 });
    fc.assert(
      fc.property(ids, ids, ids, (prompt, output, accepted) => {
        const history = new TokenHistory(prompt, output);
        for (const id of accepted) history.accept(id);
        const all = [...output, ...accepted];
        expect(history.prompt).toEqual(prompt);
        expect(history.output).toEqual(all);
        expect(history.sequence).toEqual([...prompt, ...all]);
        expect(history.seen).toEqual([...new Set([...prompt, ...all])]);
        expect(history.generated).toEqual([...new Set(all)]);
        for (let id = 0; id < 12; id++)
          expect(history.outputCount(id)).toBe(all.filter((other) => other === id).length);
      }),
    );
  });

  it('is empty by default', () => {
    const history = new TokenHistory();
    expect([history.prompt, history.output, history.seen, history.generated]).toEqual([[], [], [], []]);
    expect(history.outputCount(0)).toBe(0);
  });

  it('gives prompt and output as one array, the same from token to token', () => {
    const history = new TokenHistory([3, 1], [2]);
    const { sequence } = history;
    history.accept(7);
    expect(sequence).toEqual([3, 1, 2, 7]);
    expect(history.sequence).toBe(sequence);
    history.truncate(0);
    expect([sequence, history.prompt]).toEqual([
      [3, 1],
      [3, 1],
    ]);
  });

  it('takes typed arrays, and keeps copies', () => {
    const prompt = Int32Array.of(3, 1);
    const output = [2];
    const history = new TokenHistory(prompt, output);
    prompt[0] = 9;
    output.push(9);
    expect([history.prompt, history.output]).toEqual([[3, 1], [2]]);
  });

  it.each<[unknown, unknown, string]>([
    ['ab', [], '`prompt` must be an array of token ids, got "ab"'],
    [[], 7, '`history` must be an array of token ids, got 7'],
    [null, [], '`prompt` must be an array of token ids, got null'],
    [{ length: 1, 0: 1 }, [], '`prompt` must be an array of token ids, got { 0: 1, length: 1 }'],
    [[0, -1], [], '`prompt[1]` must be an integer >= 0, got -1'],
    [[], [0, 1, 0.5], '`history[2]` must be an integer >= 0, got 0.5'],
    [[], [Number.NaN], '`history[0]` must be an integer >= 0, got NaN'],
    [[], [2 ** 53], '`history[0]` must be an integer >= 0, got 9007199254740992'],
    [['1'], [], '`prompt[0]` must be an integer >= 0, got "1"'],
    [Array(2), [], '`prompt[0]` must be an integer >= 0, got undefined'],
    [BigInt64Array.of(1n), [], '`prompt[0]` must be an integer >= 0, got 1n'],
  ])('refuses prompt %o and output %o', (prompt, output, message) => {
    expect(() => new TokenHistory(prompt as number[], output as number[])).toRefuse(`TokenHistory: ${message}`);
    expect(() => new TokenHistory(prompt as number[], output as number[], 'Mine')).toRefuse(`Mine: ${message}`);
  });

  it('refuses a DataView, which has no ids, instead of taking it for an empty prompt', () => {
    expect(() => new TokenHistory(new DataView(new ArrayBuffer(4)) as never)).toRefuse(
      'TokenHistory: `prompt` must be an array of token ids, got DataView(4)',
    );
  });

  it('says which id lies outside the vocabulary, and where', () => {
    const history = new TokenHistory([1, 5], [2, 7]);
    history.checkWithin(8, 'Mine');
    expect(() => history.checkWithin(7, 'Mine')).toRefuse('Mine: `history[1]` must be an integer in [0, 7), got 7');
    expect(() => history.checkWithin(5, 'Mine')).toRefuse('Mine: `prompt[1]` must be an integer in [0, 5), got 5');
    history.accept(8);
    expect(() => history.checkWithin(8, 'Mine')).toRefuse('Mine: `history[2]` must be an integer in [0, 8), got 8');
    new TokenHistory().checkWithin(0, 'Mine');
  });
});

describe('TokenHistory.truncate', () => {
  it('leaves what a history of the first ids is', () => {
    const rng = new Pcg32(9);
    for (let n = 0; n < 200; n++) {
      const prompt = Array.from({ length: rng.below(4) }, () => rng.below(6));
      const output = Array.from({ length: rng.below(9) }, () => rng.below(8));
      const length = rng.below(output.length + 1);
      const history = new TokenHistory(prompt, output);
      history.truncate(length);
      const more = [rng.below(8), rng.below(8)];
      for (const id of more) history.accept(id);
      expectEqual(history, new TokenHistory(prompt, [...output.slice(0, length), ...more]));
    }
  });

  it('forgets the largest id', () => {
    const history = new TokenHistory([2], [7, 3]);
    history.truncate(0);
    expect(() => history.checkWithin(3, 'test')).not.toThrow();
    expect(() => history.checkWithin(2, 'test')).toThrow('prompt[0]');
  });

  it('refuses a length that is none', () => {
    const history = new TokenHistory([1], [2, 3]);
    for (const length of [-1, 3, 0.5, Number.NaN]) {
      expect(() => history.truncate(length)).toRefuse(
        `TokenHistory: \`length\` must be an integer in [0, 2], got ${length}`,
      );
    }
    expect(history.output).toEqual([2, 3]);
  });
});

function expectEqual(history: TokenHistory, right: TokenHistory): void {
  const { prompt, output, sequence, seen, generated } = history;
  expect({ prompt, output, sequence, seen, generated }).toEqual({
    prompt: right.prompt,
    output: right.output,
    sequence: right.sequence,
    seen: right.seen,
    generated: right.generated,
  });
  for (let id = 0; id < 8; id++) expect(history.outputCount(id)).toBe(right.outputCount(id));
}
