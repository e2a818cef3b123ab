import { ContainerModule } from 'inversify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Processor, processor } from '../../processors/index.js';
import { createContainer, PARTS, processorModule } from '../../src/container/index.js';
import type { Sampler } from '../../src/core.js';
import { createSampler, ProcessorChain, restoreSampler, saveSampler } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { roughNormal } from '../support/requests.js';
import { Scripted } from '../support/scripted.js';
import { note } from '../support/steps.js';

const V = 30;
const random = new Pcg32(3, 3);
const rows = Array.from({ length: 16 }, () => Float32Array.from({ length: V }, () => 2 * roughNormal(random)));

/** Pushes down the last `window` ids, and draws one uniform a token that decides by how much. */
@processor({ name: 'recent', options: z.strictObject({ window: z.number() }), stage: 'policy', draws: 1 })
class Recent extends Processor<z.ZodObject<{ window: z.ZodNumber }>> {
  #ids: number[] = [];

  process(candidates: Parameters<Processor<never>['process']>[0], context: { uniform(): number }): void {
    const u = context.uniform();
    for (const id of this.#ids) if (candidates.has(id)) candidates.setLogit(id, candidates.logit(id) - u);
  }

  accept(id: number): void {
    this.#ids = [...this.#ids, id].slice(-this.options.window);
  }

  save(): number[] {
    return this.#ids;
  }

  restore(state: unknown): void {
    this.#ids = [...(state as number[])];
  }
}

const container = createContainer(processorModule(Recent));

const REQUESTS: Record<string, () => Sampler> = {
  'the spec chain': () =>
    createSampler({ seed: 5, top_p: 0.9, repetition_penalty: 1.3, presence_penalty: 0.4 }, { prompt: [1, 2, 2] }),
  'a greedy request': () => createSampler({ seed: 5, temperature: 0, frequency_penalty: 0.5 }),
  'a request with a history': () => createSampler({ seed: 2n ** 64n - 1n, top_k: 9 }, { history: [4, 4] }),
  'a chain with a state and draws of its own': () =>
    createSampler(
      { seed: 5 },
      { container, chain: [{ use: 'recent', window: 3 }, { use: 'logprobs' }, { use: 'min-p', m: 0.02 }] },
    ),
};

describe.each(Object.entries(REQUESTS))('%s', (_, create) => {
  it.each([0, 1, 2, 5, 9])(
    'goes on in another process from token %i, through JSON, as if nothing had been',
    (position) => {
      const whole = create();
      const expected = rows.map((row) => whole.sample(row));
      const first = create();
      const tokens = rows.slice(0, position).map((row) => first.sample(row));
      const second = restoreSampler(JSON.parse(JSON.stringify(saveSampler(first))), { container });
      expect(second.draws).toBe(first.draws);
      expect(second.history.output).toEqual(first.history.output);
      expect(second.history.prompt).toEqual(first.history.prompt);
      expect(second.history.seen).toEqual(first.history.seen);
      expect(second.chain.toData()).toEqual(first.chain.toData());
      expect(second.chain.tap).toBe(first.chain.tap);
      expect(second.seed).toBe(BigInt(first.seed));
      tokens.push(...rows.slice(position).map((row) => second.sample(row)));
      expect(tokens).toEqual(expected);
      expect(saveSampler(second)).toEqual(saveSampler(whole));
    },
  );

  it('saves the same twice, and saving changes nothing', () => {
    const sampler = create();
    const twin = create();
    for (const row of rows.slice(0, 4)) {
      expect(saveSampler(sampler)).toEqual(saveSampler(sampler));
      expect(sampler.sample(row)).toEqual(twin.sample(row));
    }
  });
});

describe('the saved state', () => {
  it('is plain JSON', () => {
    const sampler = createSampler({ seed: 7, top_k: 3 }, { prompt: Int32Array.of(1, 2) });
    sampler.accept(4);
    expect(saveSampler(sampler)).toEqual({
      version: 3,
      numerics: 'exact',
      chain: sampler.chain.toData(),
      fingerprint: sampler.chain.fingerprint(),
      seed: '7',
      draws: 0,
      prompt: [1, 2],
      output: [4],
      states: [null, null, null, null, null, null],
    });
    const saved = saveSampler(sampler);
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
  });

  it('is a copy: what comes after does not change it', () => {
    const sampler = createSampler({ seed: 7 });
    const saved = saveSampler(sampler);
    sampler.sample(rows[0] as Float32Array);
    expect([saved.output, saved.draws]).toEqual([[], 0]);
  });

  it('is refused where a step has a state that it cannot save', () => {
    const chain = new ProcessorChain([note('secret', [], { accept: () => {} })]);
    expect(() => saveSampler(createSampler({}, { chain }))).toThrow('`secret` must be able to save and restore');
  });

  it('cannot be restored where its processors are not known', () => {
    const saved = saveSampler(createSampler({}, { chain: new ProcessorChain([note('mine', [])]) }));
    expect(() => restoreSampler(saved)).toThrow('ProcessorChain: `use` must be one of');
    expect(() => restoreSampler(saved)).toThrow('got "mine"');
  });

  it('is skipped to one by one where the source of uniforms cannot skip', () => {
    const scripted = new ContainerModule(({ rebind }) => {
      rebind(PARTS.uniforms).toConstantValue(() => new Scripted([0.1, 0.9, 0.6]));
    });
    const saved = { ...saveSampler(createSampler({ seed: 1 })), draws: 2 };
    const sampler = restoreSampler(saved, { container: createContainer(scripted) });
    expect(sampler.sample([0, 0, 0, 0]).id).toBe(2); // u = 0.6
    expect(sampler.draws).toBe(3);
  });

  const good = saveSampler(createSampler({ seed: 7, top_k: 3 }, { prompt: [1] }));
  const ids = 'an array of integers >= 0';
  const digits = 'an unsigned 64-bit integer in decimal digits';
  it.each<[object, string]>([
    [{ version: 1 }, '`version` must be 3, the format this version reads, got 1'],
    [{ version: '2' }, '`version` must be 3, the format this version reads, got "2"'],
    [{ fingerprint: 7 }, '`fingerprint` must be 64 hexadecimal digits, got 7'],
    [{ fingerprint: '7'.repeat(63) }, `\`fingerprint\` must be 64 hexadecimal digits, got "${'7'.repeat(63)}"`],
    [{ chain: 3 }, '`chain` must be a chain as data, got 3'],
    [{ seed: 7 }, `\`seed\` must be ${digits}, got 7`],
    [{ seed: '07' }, `\`seed\` must be ${digits}, got "07"`],
    [{ seed: '-1' }, `\`seed\` must be ${digits}, got "-1"`],
    [{ seed: '0x7' }, `\`seed\` must be ${digits}, got "0x7"`],
    [{ seed: ' 7' }, `\`seed\` must be ${digits}, got " 7"`],
    [{ seed: '7\n' }, `\`seed\` must be ${digits}, got "7\\n"`],
    [{ seed: '' }, `\`seed\` must be ${digits}, got ""`],
    [{ seed: '18446744073709551616' }, `\`seed\` must be ${digits}, got "18446744073709551616"`],
    [{ seed: '100000000000000000000' }, `\`seed\` must be ${digits}, got "100000000000000000000"`],
    [{ draws: -1 }, '`draws` must be an integer >= 0, got -1'],
    [{ draws: 0.5 }, '`draws` must be an integer >= 0, got 0.5'],
    [{ draws: '1' }, '`draws` must be an integer >= 0, got "1"'],
    [{ prompt: 'x' }, `\`prompt\` must be ${ids}, got "x"`],
    [{ prompt: [1, -1] }, '`prompt[1]` must be an integer >= 0, got -1'],
    [{ output: [0.5] }, '`output[0]` must be an integer >= 0, got 0.5'],
    [{ output: ['1'] }, '`output[0]` must be an integer >= 0, got "1"'],
    [{ states: {} }, '`states` must be an array with a state for each step, got {}'],
    [
      { extra: 1 },
      '`extra` must be absent (the parameters are: version, chain, fingerprint, versions, numerics, seed, draws, prompt, output, states), got 1',
    ],
  ])('is refused with %j', (wrong, message) => {
    expect(() => restoreSampler({ ...good, ...wrong } as never)).toRefuse(`SamplerState: ${message}`);
  });

  it.each(['0', '7', '18446744073709551615'])('is accepted with the seed %s', (seed) => {
    expect(restoreSampler({ ...good, seed }).seed).toBe(BigInt(seed));
  });

  it.each([null, 3, 'x', []])('is refused where it is %j', (saved) => {
    expect(() => restoreSampler(saved as never)).toThrow('SamplerState: `options` must be a plain object, got ');
  });

  it('is refused with the states of another chain', () => {
    expect(() => restoreSampler({ ...good, states: [null] })).toRefuse(
      'ProcessorChain: `states` must be an array of 6 states, got [null]',
    );
  });

  it('is refused with a chain that has a wrong option', () => {
    const chain = [{ use: 'top-k', k: -1 }];
    expect(() => restoreSampler({ ...good, chain, states: [null] })).toRefuse(
      'TopK: `k` must be an integer >= 0, got -1',
    );
  });

  it('is refused where an option was edited on the way', () => {
    const chain = good.chain.map((step) => (step.use === 'top-k' ? { ...step, k: 4 } : step));
    const found = createSampler({ seed: 7, top_k: 4 }).chain.fingerprint();
    expect(() => restoreSampler({ ...good, chain })).toRefuse(
      `SamplerState: \`fingerprint\` must be ${found}, that of the chain made here, got "${good.fingerprint}"`,
    );
  });

  it('is refused where the container makes another chain of the same data', () => {
    const rounding = z.strictObject({ k: z.number().transform((k) => k + 1) });
    @processor({ name: 'top-k', options: rounding, stage: 'policy' })
    class OtherTopK extends Processor<typeof rounding> {
      process(): void {}
    }
    expect(() => restoreSampler(good, { container: createContainer(processorModule(OtherTopK)) })).toThrow(
      'SamplerState: `fingerprint` must be ',
    );
  });
});
