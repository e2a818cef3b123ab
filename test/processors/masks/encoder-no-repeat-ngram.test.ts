import { describe, expect, it } from 'vitest';
import { EncoderNoRepeatNgram } from '../../../processors/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds, without } from './plain-masks.js';

const M = -Infinity;

describe('EncoderNoRepeatNgram', () => {
  it.each([
    { n: 3, encoder_ids: [5, 6, 7], prompt: [], output: [5, 6], banned: [7], why: 'it would be taken over' },
    { n: 3, encoder_ids: [5, 6, 7], prompt: [5], output: [6], banned: [7], why: 'across the end of the prompt' },
    { n: 3, encoder_ids: [5, 6, 7], prompt: [], output: [6], banned: [], why: 'fewer than n - 1 ids' },
    { n: 3, encoder_ids: [5, 6], prompt: [], output: [5, 6], banned: [], why: 'nothing follows' },
    { n: 2, encoder_ids: [4, 4, 1], prompt: [], output: [4], banned: [4, 1], why: 'every follower' },
    { n: 2, encoder_ids: [1], prompt: [], output: [4, 2, 4], banned: [], why: 'what was generated itself may repeat' },
    { n: 1, encoder_ids: [3, 3, 0], prompt: [2], output: [], banned: [0, 3], why: 'every id of the input' },
    { n: 2, prompt: [4, 2, 4], output: [], banned: [2], why: 'the prompt is the input' },
    { n: 2, prompt: [4, 2], output: [4, 3, 4], banned: [2], why: 'of the prompt alone' },
    { n: 0, encoder_ids: [1], prompt: [1], output: [1], banned: [], why: 'off' },
  ])('n = $n of $encoder_ids after $prompt and $output bans $banned: $why', (one) => {
    const { n, encoder_ids, prompt, output, banned } = one;
    const step = new EncoderNoRepeatNgram({ n, encoder_ids });
    const logits = [1, 2, 3, 4, 5, 6, 7, 8];
    expectSameBits(logitsAfter(step, logits, { prompt, output }), without(logits, banned));
    expect(step.active).toBe(n > 0);
  });

  agreesWithPlainArrays((random, V) => {
    const n = random.below(4);
    const encoder_ids = random.below(3) === 0 ? undefined : randomIds(random, Math.min(V, 4), 9, 1);
    return {
      step: new EncoderNoRepeatNgram({ n, encoder_ids }),
      rule: (l, { prompt, output }) => {
        const input = encoder_ids ?? prompt;
        const text = [...prompt, ...output];
        if (n > 0 && encoder_ids?.some((id) => id >= V)) return undefined;
        if (n === 0 || text.length < n - 1) return [...l];
        const end = text.slice(text.length - (n - 1)).join();
        return without(
          l,
          input.filter((_, at) => at >= n - 1 && input.slice(at - (n - 1), at).join() === end),
        );
      },
    };
  });

  it('refuses where nothing would be left, and an id that is not below V, and changes nothing', () => {
    const message = 'EncoderNoRepeatNgram: `n` must be such that at least one of the kept ids remains, got 1';
    expectUnchanged(new EncoderNoRepeatNgram({ n: 1, encoder_ids: [2, 0] }), [0, M, 0], message);
    const beyond = 'EncoderNoRepeatNgram: `encoder_ids[1]` must be an integer in [0, 3), got 3';
    expectUnchanged(new EncoderNoRepeatNgram({ n: 2, encoder_ids: [0, 3] }), [0, 0, 0], beyond);
  });

  it.each([
    [{ n: 0.5 }, '`n` must be an integer >= 0, got 0.5'],
    [{ n: 2, encoder_ids: [] }, '`encoder_ids` must be a non-empty array of ids, got []'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new EncoderNoRepeatNgram(options as never)).toRefuse(`EncoderNoRepeatNgram: ${message}`);
  });
});
