import { describe, expect, it } from 'vitest';
import { generate } from '../../src/index.js';
import { saying } from '../support/scripted-model.js';

const PIECES = ['he', [0xc3], [0xa9], ' S', 'T', 'x'];

async function read<T>(stream: ReadableStream<T>): Promise<T[]> {
  const chunks: T[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return chunks;
}

describe('toReadableStream', () => {
  it('streams the text as it becomes final, without empty pieces', async () => {
    const { model, tokenizer } = saying(PIECES);
    const chunks = await read(generate(model, tokenizer, [], { stop: ['STOP'] }).toReadableStream());
    expect(chunks).toEqual(['he', 'é', ' ', 'STx']);
    expect(model.closed).toBe(1);
  });

  it('streams the events', async () => {
    const { model, tokenizer } = saying(PIECES);
    const events: unknown[] = [];
    for await (const event of generate(model, tokenizer, [])) events.push({ ...event, timing: undefined });
    const chunks = await read(generate(model, tokenizer, []).toReadableStream('events'));
    expect(chunks.map((event) => ({ ...event, timing: undefined }))).toEqual(events);
  });

  it('asks for nothing before it is read', async () => {
    const { model, tokenizer } = saying(PIECES);
    const stream = generate(model, tokenizer, []).toReadableStream();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(model.opened).toBe(0);
    const reader = stream.getReader();
    await reader.read();
    expect(model.appended).toHaveLength(1);
  });

  it('ends the generation when it is cancelled: the session is freed, and what came so far can be saved', async () => {
    const { model, tokenizer } = saying(PIECES);
    const generation = generate(model, tokenizer, []);
    const reader = generation.toReadableStream().getReader();
    expect(await reader.read()).toEqual({ done: false, value: 'he' });
    await reader.cancel();
    expect([model.opened, model.closed]).toEqual([1, 1]);
    expect(generation.save().sampler.output).toEqual([0]);
    await expect(generation).rejects.toThrow('Generation: `iteration` must be run to its end, got "left before"');
  });

  it('passes on the reason of an abort', async () => {
    const { model, tokenizer } = saying(PIECES);
    const control = new AbortController();
    const reader = generate(model, tokenizer, [], {}, { signal: control.signal }).toReadableStream().getReader();
    await reader.read();
    control.abort(new Error('enough'));
    await expect(reader.read()).rejects.toThrow('enough');
    expect(model.closed).toBe(1);
  });

  it('goes through the streams of the platform', async () => {
    const { model, tokenizer } = saying(PIECES);
    const bytes = generate(model, tokenizer, []).toReadableStream().pipeThrough(new TextEncoderStream());
    expect(await new Response(bytes).text()).toBe('heé STx');
  });

  it('refuses chunks of another kind', () => {
    const { model, tokenizer } = saying(PIECES);
    const generation = generate(model, tokenizer, []);
    expect(() => generation.toReadableStream('bytes' as never)).toRefuse(
      'Generation: `chunks` must be `text` or `events`, got "bytes"',
    );
  });
});
