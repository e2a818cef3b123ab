/**
 * D1: sliding in a model that was trained with a begin token, whose sessions refuse what a real engine refuses.
 */
import { describe, expect, it } from 'vitest';
import { generate, restoreGeneration } from '../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';
import { tinyModel } from '../support/tiny-model.js';

const tokenizer = new PieceTokenizer(['', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
const LENGTH = 4;
const BEGIN = 0;
const greedy = { temperature: 0, max_tokens: 6 };
const slide = { whenFull: 'slide' } as const;

/** Says the id after the sum of the window, so that a wrong window shows. */
function sumOf(ids: readonly number[]): number[] {
  const next = 1 + (ids.reduce((sum, id) => sum + id, 0) % 7);
  return Array.from({ length: 8 }, (_, id) => (id === next ? 1 : 0));
}

function model(): ScriptedModel {
  return new ScriptedModel(8, LENGTH, [], sumOf, BEGIN);
}

/** The begin token and the last three ids, each time anew. */
function plainly(prompt: readonly number[], count: number): number[] {
  const ids = [...prompt];
  for (let i = 0; i < count; i++) ids.push(sumOf([BEGIN, ...ids.slice(-(LENGTH - 1))]).indexOf(1));
  return ids.slice(prompt.length);
}

describe('a window that slides', () => {
  it.each([
    { why: 'shorter than the context', prompt: [1, 2] },
    { why: 'as long as there is room', prompt: [1, 2, 3] },
    { why: 'one id longer', prompt: [1, 2, 3, 1] },
    { why: 'much longer', prompt: [1, 2, 3, 1, 7, 7, 6, 5, 4, 3] },
  ])('is the begin token and the last ids, for a prompt $why', async ({ prompt }) => {
    const { ids } = await generate(model(), tokenizer, prompt, greedy, slide);
    expect(ids).toEqual(plainly(prompt, 6));
  });

  it('is the same after a restore, wherever it was saved', async () => {
    const whole = plainly([1, 2], 6);
    for (let count = 0; count <= 6; count++) {
      const first = generate(model(), tokenizer, [1, 2], greedy, slide);
      const events = first[Symbol.asyncIterator]();
      for (let i = 0; i < count; i++) await events.next();
      const state = first.save();
      await events.return();
      const { ids } = await restoreGeneration(model(), tokenizer, state);
      expect([...whole.slice(0, count), ...ids]).toEqual(whole);
    }
  });

  it('is that of the embedded model too', async () => {
    const embedded = tinyModel();
    const pieces = new PieceTokenizer(Array.from({ length: embedded.vocabSize }, () => 'a'));
    const long = Array.from({ length: embedded.contextLength + 3 }, (_, i) => i % embedded.vocabSize);
    const { ids } = await generate(embedded, pieces, long, { temperature: 0, max_tokens: 3 }, slide);
    const all = [...long];
    for (const id of ids) {
      const begin = embedded.beginId === undefined ? [] : [embedded.beginId];
      const window = [...begin, ...all.slice(begin.length - embedded.contextLength)];
      const logits = embedded.open().append(window);
      expect(id).toBe(logits.indexOf(Math.max(...logits)));
      all.push(id);
    }
    expect(ids).toHaveLength(3);
  });
});
