/**
 * The saved state of a generation, and what is refused of it.
 */
import { ContainerModule } from 'inversify';
import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { createContainer, processorToken } from '../../src/container/index.js';
import { restoreGeneration } from '../../src/decode/run/restore-generation.js';
import { createSampler, type GenerateEvent, generate, ProcessorChain, saveSampler } from '../../src/index.js';
import { PieceTokenizer, ScriptedModel, saying } from '../support/scripted-model.js';
import { note } from '../support/steps.js';

const { model, tokenizer } = saying(['he', [0xc3], [0xa9], ' ST', 'OPx']);
const PARAMS = { seed: 7, stop: ['STOP'], max_tokens: 9, logprobs: 1, echo: true, stop_token_ids: [6] };

async function eventsOf(generation: AsyncIterable<GenerateEvent>): Promise<GenerateEvent[]> {
  const events: GenerateEvent[] = [];
  for await (const event of generation) events.push(event);
  return events;
}

describe('the state of a generation', () => {
  it('is small plain JSON: the chain and its fingerprint, the seed, the draws, the ids, and what is held back', async () => {
    const generation = generate(model, tokenizer, [0], PARAMS);
    const events = generation[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i++) await events.next(); // the echo and two tokens
    const sampler = createSampler({ seed: 7 }, { prompt: [0] });
    const state = generation.save();
    expect(state).toEqual({
      version: 2,
      model: { id: null, vocabSize: 7, contextLength: 1000, beginId: 6, endIds: [5] },
      tokenizer: { id: null, vocabSize: 7 },
      sampler: { ...saveSampler(sampler), draws: 2, output: [1, 2] },
      params: { max_tokens: 9, stop: ['STOP'], stop_after: 0, stop_token_ids: [6], logprobs: 1 },
      whenFull: 'stop',
      held: { bytes: [], text: '', passed: 0 },
      echo: null,
      ending: null,
      ended: false,
    });
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(JSON.stringify(state).length).toBeLessThan(1000);
  });

  it('holds half a character, what may become a stop string, and an end that was not handed out yet', async () => {
    const generation = generate(model, tokenizer, [], { ...PARAMS, echo: false });
    const held = [];
    for await (const event of generation) {
      const state = generation.save();
      held.push([event.text, state.held.bytes, state.held.text, state.ending?.stopped_by, state.ended]);
    }
    expect(held).toEqual([
      ['he', [], '', undefined, false],
      ['', [0xc3], '', undefined, false],
      ['é', [], '', undefined, false],
      [' ', [], 'ST', undefined, false],
      ['', [], '', 'STOP', false],
      ['', [], '', 'STOP', true],
    ]);
  });

  it('is there before the first token, and after the last', async () => {
    const whole = await generate(model, tokenizer, [0], PARAMS);
    const first = restoreGeneration(model, tokenizer, generate(model, tokenizer, [0], PARAMS).save());
    expect(await first).toEqual(whole);
    const last = restoreGeneration(model, tokenizer, first.save());
    expect(await eventsOf(last)).toEqual([]);
    const nothing = { text: '', ids: [], logprobs: [], entropies: [], topLogprobs: [], prompt: undefined };
    expect(await last).toEqual({ ...whole, ...nothing });
  });

  it('counts the same tokens where half a character at the end id completes a stop string', async () => {
    const half = saying([[0xf0, 0x9f]]);
    const generation = generate(half.model, half.tokenizer, [], { seed: 1, stop: ['\ufffd'] });
    const whole = await generation;
    expect(whole).toMatchObject({ text: '', stopped_by: '\ufffd', usage: { prompt_tokens: 0, completion_tokens: 1 } });
    const last = await restoreGeneration(half.model, half.tokenizer, generation.save());
    expect(last).toMatchObject({ stopped_by: '\ufffd', usage: whole.usage });
  });

  it('asks no more of the model than the prompt and the ids so far, at once', async () => {
    const one = saying(['a', 'b', 'c', 'd']);
    const generation = generate(one.model, one.tokenizer, [0, 1]);
    await generation[Symbol.asyncIterator]().next();
    await generation[Symbol.asyncIterator]().return(); // the first worker leaves
    one.model.calls.length = 0;
    const moved = restoreGeneration(one.model, one.tokenizer, generation.save());
    await moved[Symbol.asyncIterator]().next();
    expect(one.model.appended).toEqual([[5, 0, 1, 2]]);
    await moved[Symbol.asyncIterator]().return();
    expect(one.model.closed).toBe(one.model.opened);
  });

  it('is given after a failure of the model or an abort, and goes on where that was', async () => {
    let fails = true;
    const shaky = new ScriptedModel(3, 50, [], (ids) => {
      if (ids.length === 4 && fails) throw new Error('the connection broke');
      return [ids.length % 3, 1, 0.5];
    });
    const pieces = new PieceTokenizer(['a', 'b', 'c']);
    const generation = generate(shaky, pieces, [0], { seed: 1, max_tokens: 6 });
    await expect(eventsOf(generation)).rejects.toThrow('the connection broke');
    fails = false;
    const rest = await restoreGeneration(shaky, pieces, generation.save());
    const whole = await generate(shaky, pieces, [0], { seed: 1, max_tokens: 6 });
    expect(rest.ids).toEqual(whole.ids.slice(3));
    expect(rest.logprobs).toEqual(whole.logprobs.slice(3));
    expect(rest.usage).toEqual(whole.usage);
  });

  it('is refused where a token failed half-way, or a step cannot save its state', async () => {
    const broken = new PieceTokenizer(['a', 'b']);
    broken.tokenBytes = () => {
      throw new Error('no bytes');
    };
    const flat = new ScriptedModel(2, 9, [], () => [0, 0]);
    const generation = generate(flat, broken, [0]);
    await expect(eventsOf(generation)).rejects.toThrow('no bytes');
    expect(() => generation.save()).toRefuse(
      'Generation: `save` must be asked for between two events, got "a token that failed half-way"',
    );
    const chain = new ProcessorChain([note('secret', [], { accept: () => {} })]);
    expect(() => generate(model, tokenizer, [0], {}, { chain }).save()).toThrow('`secret` must be able to save');
  });
});

describe('what is restored', () => {
  const good = generate(model, tokenizer, [0], PARAMS).save();
  const restore = (state: object, on = model) => restoreGeneration(on, tokenizer, state as typeof good);

  it('answers to its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(restoreGeneration(model, tokenizer, good, { signal })).rejects.toThrow('enough');
  });

  it.each<[object, string]>([
    [{ version: 1 }, 'GenerationState: `version` must be 2, the format this version reads, got 1'],
    [{ ended: true }, 'GenerationState: `ended` must be false without an ending, got true'],
    [{ whenFull: 'drop' }, 'GenerationState: `whenFull` must be `stop` or `slide`, got "drop"'],
    [
      { held: { bytes: [1, 2, 3, 4], text: '', passed: 0 } },
      'GenerationState: `held.bytes` must be an array of at most 3 bytes, got [1, 2, 3, 4]',
    ],
    [
      { held: { bytes: [256], text: '', passed: 0 } },
      'GenerationState: `held.bytes[0]` must be an array of at most 3 bytes, got 256',
    ],
    [
      { held: { bytes: [-1], text: '', passed: 0 } },
      'GenerationState: `held.bytes[0]` must be an array of at most 3 bytes, got -1',
    ],
    [
      { held: { bytes: [0xc3, 1.5], text: '', passed: 0 } },
      'GenerationState: `held.bytes[1]` must be an array of at most 3 bytes, got 1.5',
    ],
    [{ echo: 3 }, 'GenerationState: `echo` must be a string or null, got 3'],
    [
      { ending: { type: 'end', text: '', finish_reason: 'no' } },
      'GenerationState: `ending.finish_reason` must be `stop` or `length`, got "no"',
    ],
    [
      { params: { ...good.params, stop: [''] } },
      'GenerationState: `params.stop[0]` must be a non-empty string, got ""',
    ],
    [{ sampler: { ...good.sampler, draws: -1 } }, 'GenerationState: `sampler.draws` must be an integer >= 0, got -1'],
    [
      { sampler: { ...good.sampler, version: 1 } },
      'GenerationState: `sampler.version` must be 3, the format this version reads, got 1',
    ],
    [
      { sampler: { ...good.sampler, output: [7] } },
      'restoreGeneration: `history[0]` must be an integer in [0, 7), got 7',
    ],
    [
      { more: 1 },
      'GenerationState: `more` must be absent (the parameters are: version, model, tokenizer, sampler, params, whenFull, held, forced, echo, ending, ended), got 1',
    ],
  ])('refuses %j', (wrong, message) => {
    expect(() => restore({ ...good, ...wrong })).toRefuse(message);
  });

  it.each([0, 255])('may hold the byte %i', (byte) => {
    const held = { bytes: [byte], text: '', passed: 0 };
    expect(restore({ ...good, held }).save().held).toEqual(held);
  });

  it.each([
    {
      why: 'V',
      other: new ScriptedModel(8, 1000, [5], () => [], 6),
      says: '`model.vocabSize` must be 8, that of the model given, got 7',
    },
    { why: 'the context', other: new ScriptedModel(7, 9, [5], () => [], 6), says: '`model.contextLength` must be 9' },
    { why: 'the begin id', other: new ScriptedModel(7, 1000, [5], () => []), says: '`model.beginId` must be null' },
    {
      why: 'the end ids',
      other: new ScriptedModel(7, 1000, [5, 4], () => [], 6),
      says: '`model.endIds` must be [5,4]',
    },
  ])('refuses the state of another model by $why', ({ other, says }) => {
    expect(() => restore(good, other)).toThrow(`GenerationState: ${says}`);
    expect(other.opened).toBe(0);
  });
});

describe('a fingerprint', () => {
  it('that does not match is refused where the container makes another chain of the same data', () => {
    const another: LogitsProcessor = { name: 'top-k', process: (candidates) => candidates.keepBest(1) };
    const module = new ContainerModule(({ rebind }) => {
      rebind(processorToken('top-k')).toConstantValue(() => another);
    });
    const container = createContainer(module);
    const state = generate(model, tokenizer, [0], { seed: 1, top_k: 2 }).save();
    expect(() => restoreGeneration(model, tokenizer, state, { container })).toThrow('`fingerprint` must be ');
  });
});
