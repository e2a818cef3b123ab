/**
 * The run of a search: its sessions, its steps, its texts and its end.
 */
import { describe, expect, it } from 'vitest';
import { beamSearch, beamSteps } from '../../../src/decode/beams/beam-search.js';
import { loadEmbedded } from '../../../src/embedded/index.js';
import { PieceTokenizer, ScriptedModel } from '../../support/scripted-model.js';
import { ForkingModel, noiseAfter, noiseModel } from './worlds.js';

const params = { num_beams: 4, num_return_sequences: 4, max_tokens: 8 };

describe('the sessions of the beams', () => {
  it('give the same where they can be copied, with one id a beam and step after the prompt', async () => {
    for (let seed = 0; seed < 10; seed++) {
      const forking = new ForkingModel(noiseModel(9, [0], seed));
      const copied = await beamSearch(forking, [1, 2, 3], params);
      expect(copied).toEqual(await beamSearch(noiseModel(9, [0], seed), [1, 2, 3], params));
      expect(forking.appended[0]).toHaveLength(3);
      expect(new Set(forking.appended.slice(1).map((ids) => ids.length))).toEqual(new Set([1]));
      expect(forking.opened).toBe(forking.forks + 1);
      expect(forking.closed).toBe(forking.opened);
    }
  });

  it('are no more than the beams where they cannot be copied, and all are closed', async () => {
    const model = noiseModel(9, [0], 3);
    await beamSearch(model, [1, 2, 3], params);
    expect(model.opened).toBeLessThanOrEqual(4);
    expect(model.closed).toBe(model.opened);
  });

  it('are asked side by side, so that an engine can make a batch of them', async () => {
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
    const logitsAfter = noiseAfter(9, 3, 1);
    const slow = new ScriptedModel(9, 64, [], logitsAfter, undefined, { wait, sessionsRunAtOnce: true });
    expect(await beamSearch(slow, [1], params)).toEqual(await beamSearch(noiseModel(9, [], 1), [1], params));
    expect(slow.most).toBe(4);
  });

  it('are closed when the model fails, after those that still ran, and the failure is thrown', async () => {
    const model = noiseModel(9, [], 1);
    const failing = new ScriptedModel(9, 64, [], (ids) => {
      if (ids.length === 4) throw new Error('out of memory');
      return model.logitsAfter(ids);
    });
    await expect(beamSearch(failing, [1, 2], params)).rejects.toThrow('out of memory');
    expect(failing.closed).toBe(failing.opened);
  });

  it('hold the begin token, which penalties and n-grams do not see', async () => {
    const model = new ScriptedModel(9, 64, [], noiseAfter(9, 3, 4), 8);
    const { sequences } = await beamSearch(model, [1], { max_tokens: 8, no_repeat_ngram_size: 1 });
    expect(model.appended[0]).toEqual([8, 1]);
    expect([...(sequences[0]?.ids ?? [])].sort()).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('end with length when the context is full', async () => {
    const model = new ScriptedModel(9, 5, [], noiseAfter(9, 3, 4));
    const { sequences } = await beamSearch(model, [1, 2], params);
    for (const { ids, finish_reason } of sequences) expect([ids.length, finish_reason]).toEqual([3, 'length']);
  });
});

describe('a session of the embedded model', () => {
  it('and its copy go their own ways, with the same bits as if each had been computed alone', async () => {
    const { model, tokenizer } = await loadEmbedded();
    const [a, b] = [tokenizer.encode('In the beginning God'), tokenizer.encode('the earth')];
    const session = model.open();
    session.append(a);
    const copy = session.fork();
    const behind = (...ids: number[]) => Float32Array.from(model.open().append([...a, ...ids]));
    expect(copy.length).toBe(a.length);
    expect(session.append(b)).toEqual(behind(...b));
    expect(copy.append([5])).toEqual(behind(5));
    expect(session.append([7])).toEqual(behind(...b, 7));
    session.close();
    expect(copy.append([6])).toEqual(behind(5, 6));
    expect(() => session.fork()).toThrow('must be open');
  });
});

describe('the steps of a search', () => {
  it('show the live beams and what ended, and return the result', async () => {
    const model = noiseModel(9, [0], 7);
    const steps = beamSteps(model, [1], params);
    let last = await steps.next();
    let count = 0;
    while (last.done !== true) {
      expect(last.value.step).toBe(++count);
      for (const { ids } of last.value.live) expect(ids.length).toBe(count);
      expect(last.value.live.length + last.value.ended.length).toBe(4);
      last = await steps.next();
    }
    expect(last.value).toEqual(await beamSearch(model, [1], params));
    expect(last.value.steps).toBe(count);
  });

  it('can be left early: the sessions are closed', async () => {
    const model = noiseModel(9, [], 7);
    for await (const { step } of beamSteps(model, [1], params)) if (step === 2) break;
    expect(model.closed).toBe(model.opened);
    expect(model.opened).toBeGreaterThan(0);
  });

  it('end with the reason of a signal', async () => {
    const model = noiseModel(9, [], 7);
    const controller = new AbortController();
    const search = async () => {
      for await (const { step } of beamSteps(model, [1], params, { signal: controller.signal })) {
        if (step === 3) controller.abort(new Error('enough'));
      }
    };
    await expect(search()).rejects.toThrow('enough');
    expect(model.closed).toBe(model.opened);
    const aborted = { signal: AbortSignal.abort(new Error('before')) };
    await expect(beamSearch(model, [1], params, aborted)).rejects.toThrow('before');
  });

  it('are the same each time', async () => {
    const run = () => beamSearch(noiseModel(30, [0, 1], 9), [5], { ...params, num_beams: 6 }, { rules: 'hf' });
    expect(await run()).toEqual(await run());
  });
});

describe('the texts', () => {
  it('are those of the ids without the end id; characters cut across tokens come whole', async () => {
    const euro = [0xe2, 0x82, 0xac];
    const tokenizer = new PieceTokenizer(['a', euro.slice(0, 1), euro.slice(1), '.', '<end>']);
    const order = [0, 1, 2, 3, 4];
    const model = new ScriptedModel(5, 64, [4], (ids) => order.map((id) => (id === ids.length - 1 ? 5 : 0)));
    const { sequences } = await beamSearch(model, 'a', { num_beams: 2, max_tokens: 9 }, { tokenizer });
    expect(sequences[0]?.ids).toEqual([0, 1, 2, 3, 4]);
    expect(sequences[0]?.text).toBe('a€.');
    expect((await beamSearch(model, [0], {})).sequences[0]).not.toHaveProperty('text');
  });
});
