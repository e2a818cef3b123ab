/**
 * What a processor asks for, and gets in its constructor: the same with a container and without.
 */
import { ContainerModule, inject, injectable } from 'inversify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Candidates,
  type History,
  ifGiven,
  Processor,
  type ProcessorClass,
  processor,
  processorInfo,
  TOKENS,
  type Tokenizer,
  token,
} from '../../processors/index.js';
import { createContainer, PARTS, processorModule } from '../../src/container/index.js';
import {
  beamSearch,
  createChain,
  createSampler,
  generate,
  ModelDrafter,
  restoreGeneration,
  restoreSampler,
  saveSampler,
} from '../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const onlyOptions = z.strictObject({ text: z.string() });

/** Keeps the one id of a text. */
@processor({ name: 'only-text', options: onlyOptions, stage: 'scores', inject: [TOKENS.tokenizer] })
class OnlyText extends Processor<typeof onlyOptions> {
  readonly #id: number;

  constructor(
    options: { readonly text: string },
    readonly tokenizer: Tokenizer,
  ) {
    super(options);
    [this.#id] = tokenizer.encode(this.options.text) as number[] as [number];
  }

  process(candidates: Candidates): void {
    candidates.keepIds((id) => id === this.#id);
  }
}

const none = z.strictObject({});

/** Says what it was given. */
abstract class Asking extends Processor<typeof none> {
  readonly given: readonly unknown[];

  constructor(options: object, ...given: readonly unknown[]) {
    super(options as Record<string, never>);
    this.given = given;
  }

  process(): void {}
}

@processor({ name: 'asks-if-given', options: none, stage: 'scores', inject: [ifGiven(TOKENS.tokenizer)] })
class AsksIfGiven extends Asking {}

const LEXICON = token<Lexicon>('test.lexicon');
const OTHER = token<Other>('test.other');

@processor({ name: 'asks-for-lexicon', options: none, stage: 'scores', inject: [LEXICON] })
class AsksForLexicon extends Asking {}

@processor({ name: 'asks-for-both', options: none, stage: 'scores', inject: [LEXICON, OTHER] })
class AsksForBoth extends Asking {}

/** Something of a user's own that needs the request's tokenizer and history. */
@injectable()
class Lexicon {
  constructor(
    @inject(TOKENS.tokenizer) readonly tokenizer: Tokenizer,
    @inject(PARTS.history) readonly history: History,
  ) {}
}

@injectable()
class Other {
  constructor(@inject(LEXICON) readonly lexicon: Lexicon) {}
}

const LETTERS = ['a', 'b', 'c', ''];
const tokenizer = new PieceTokenizer(LETTERS);
const CHAIN = [{ use: 'only-text', text: 'b' }];
const container = createContainer(processorModule(OnlyText, AsksIfGiven, AsksForLexicon, AsksForBoth));
const flat = () => new ScriptedModel(4, 50, [3], () => [0, 0, 0, 0]);

/** What the first step of a sampler was given. */
function given(options: Parameters<typeof createSampler>[1]): readonly unknown[] {
  return (createSampler({}, options).chain.steps[0] as Asking).given;
}

/** A container whose lexicons are made when they are asked for. */
function withLexicon() {
  const bindings = new ContainerModule(({ bind }) => {
    bind(LEXICON).to(Lexicon);
    bind(OTHER).to(Other);
  });
  return createContainer(processorModule(AsksForLexicon, AsksForBoth), bindings);
}

describe('a processor with an injected tokenizer', () => {
  it('gets it in its constructor, in createSampler and createChain', () => {
    const sampler = createSampler({ seed: 1 }, { chain: CHAIN, container, tokenizer });
    expect((sampler.chain.steps[0] as OnlyText).tokenizer).toBe(tokenizer);
    expect(sampler.sample([0, 0, 0, 0]).id).toBe(1);
    const chain = createChain(CHAIN, { container, tokenizer });
    expect(chain.toData()).toEqual([...CHAIN, { use: 'logprobs' }]);
  });

  it('works in generate, whose tokenizer it gets, in speculation and in beams', async () => {
    const options = { chain: CHAIN, container };
    const { text } = await generate(flat(), tokenizer, 'a', { max_tokens: 3 }, options);
    expect(text).toBe('bbb');
    const drafter = new ModelDrafter(flat(), {}, { ...options, tokenizer });
    const { generateSpeculative } = await import('../../src/index.js');
    const params = { max_tokens: 3 };
    const { text: drafted } = await generateSpeculative(flat(), tokenizer, 'a', params, { ...options, drafter });
    expect(drafted).toBe('bbb');
    const { sequences } = await beamSearch(flat(), 'a', { num_beams: 2, max_tokens: 3 }, { ...options, tokenizer });
    expect(sequences[0]?.text).toBe('bbb');
  });

  it('works in a request that was saved and restored, with the same fingerprint', async () => {
    const sampler = createSampler({ seed: 1 }, { chain: CHAIN, container, tokenizer });
    sampler.sample([0, 0, 0, 0]);
    const saved = JSON.parse(JSON.stringify(saveSampler(sampler)));
    expect(saved.chain[0]).toEqual({ use: 'only-text', text: 'b' });
    const restored = restoreSampler(saved, { container, tokenizer });
    expect(restored.chain.fingerprint()).toBe(sampler.chain.fingerprint());
    expect(restored.sample([0, 0, 0, 0])).toEqual(sampler.sample([0, 0, 0, 0]));
    const generation = generate(flat(), tokenizer, 'a', { max_tokens: 3, seed: 1 }, { chain: CHAIN, container });
    for await (const _ of generation) break;
    const { text } = await restoreGeneration(flat(), tokenizer, generation.save(), { container });
    expect(text).toBe('bb');
  });

  it('gets the one of the container where the request has none, and else its own', () => {
    const other = new PieceTokenizer(['b', 'a', 'c', '']);
    const bound = createContainer(
      processorModule(OnlyText),
      new ContainerModule(({ bind }) => void bind(TOKENS.tokenizer).toConstantValue(other)),
    );
    const idOf = (options: object) =>
      createSampler({}, { chain: CHAIN, container: bound, ...options }).sample([0, 0, 0, 0]).id;
    expect([idOf({}), idOf({ tokenizer })]).toEqual([0, 1]);
  });

  it('gets undefined where it can do without and there is none', () => {
    const chain = [{ use: 'asks-if-given' }];
    expect(given({ chain, container })).toEqual([undefined]);
    expect(given({ chain, container, tokenizer })).toEqual([tokenizer]);
  });
});

describe('what is missing', () => {
  const HOW = 'the option `tokenizer`, or TOKENS.tokenizer bound in the container';

  it.each([
    ['nothing', {}],
    ['grammars', { grammars: { step: () => new AsksIfGiven({}) } }],
  ])('is refused, with who needs it, how it is given, and that there is %s', (has, options) => {
    expect(() => createSampler({}, { chain: CHAIN, container, ...options })).toRefuse(
      `only-text: \`tokenizer\` must be there, as the processor needs it: ${HOW} (the request has ${has}), got undefined`,
    );
  });

  it('of your own is refused likewise', () => {
    expect(() => createSampler({}, { chain: [{ use: 'asks-for-lexicon' }], container, tokenizer })).toRefuse(
      'asks-for-lexicon: `test.lexicon` must be there, as the processor needs it: its token bound in the container ' +
        '(the request has tokenizer), got undefined',
    );
  });

  it('of what is made is refused with what the container says', () => {
    const chain = [{ use: 'asks-for-lexicon' }];
    expect(() => createSampler({}, { chain, container: withLexicon() })).toRefuse(
      'asks-for-lexicon: `test.lexicon` must be something that the container can make, ' +
        'got "No bindings found for service: \\"Symbol(lockstep.tokenizer)\\"."',
    );
  });

  it('in beams is the history: each beam has its own', async () => {
    const search = beamSearch(
      flat(),
      [0],
      {},
      { chain: [{ use: 'asks-for-lexicon' }], container: withLexicon(), tokenizer },
    );
    await expect(search).rejects.toThrow(
      'asks-for-lexicon: `test.lexicon` must be something that the container can make',
    );
  });
});

describe('what is bound twice', () => {
  const twice = <T>(bound: import('../../processors/index.js').Token<T>, value: T) =>
    new ContainerModule(({ bind }) => {
      bind(bound).toConstantValue(value);
      bind(bound).toConstantValue(value);
    });
  const DOMAIN = 'must be bound once in the container (`rebind` takes the place of a binding), got "several bindings"';

  it('is refused, with who needs it', () => {
    const doubled = createContainer(processorModule(OnlyText), twice(TOKENS.tokenizer, tokenizer));
    expect(() => createSampler({}, { chain: CHAIN, container: doubled })).toRefuse(
      `only-text: \`tokenizer\` ${DOMAIN}`,
    );
  });

  it('is refused of a part and of a processor', () => {
    const numerics = createContainer(twice(PARTS.numerics, createContainer().get(PARTS.numerics)));
    expect(() => createSampler({}, { container: numerics })).toRefuse(`createContainer: \`numerics\` ${DOMAIN}`);
    const module = new ContainerModule(({ bind }) => {
      bind(token('lockstep.processor.top-k')).toConstantValue(() => ({ name: 'top-k', process() {} }));
    });
    expect(() => createSampler({}, { container: createContainer(module) })).toRefuse(
      `createContainer: \`processor.top-k\` ${DOMAIN}`,
    );
  });
});

describe('the child container of a request', () => {
  it('has its tokenizer and its history, and what is made of them once for all processors', () => {
    const chain = [{ use: 'asks-for-lexicon' }, { use: 'asks-for-both' }];
    const sampler = createSampler({}, { chain, container: withLexicon(), tokenizer, prompt: [2] });
    const [first, second] = sampler.chain.steps as unknown as [AsksForLexicon, AsksForBoth];
    const [lexicon] = first.given as [Lexicon];
    expect(lexicon.tokenizer).toBe(tokenizer);
    expect(lexicon.history).toBe(sampler.history);
    expect(second.given[0]).toBe(lexicon);
  });

  it('is another one for each request', () => {
    const chain = [{ use: 'asks-for-lexicon' }];
    const own = withLexicon();
    const [one] = given({ chain, container: own, tokenizer, prompt: [0] }) as [Lexicon];
    const [two] = given({ chain, container: own, tokenizer, prompt: [1] }) as [Lexicon];
    expect([one.history.prompt, two.history.prompt]).toEqual([[0], [1]]);
  });

  it('has the uniforms that its tokens are drawn with', () => {
    const asks: ProcessorClass = processorOf();
    const own = createContainer(processorModule(asks));
    const sampler = createSampler({ seed: 5 }, { chain: [{ use: 'asks-for-uniforms' }], container: own });
    const [uniforms] = (sampler.chain.steps[0] as Asking).given as [{ uniform(): number }];
    const plain = createSampler({ seed: 5 });
    uniforms.uniform();
    plain.sample([0, 0, 0, 0]);
    expect(sampler.sample([0, 0, 0, 0])).toEqual(plain.sample([0, 0, 0, 0]));
  });
});

function processorOf(): ProcessorClass {
  class AsksForUniforms extends Asking {}
  processor({ name: 'asks-for-uniforms', options: none, stage: 'scores', inject: [PARTS.requestUniforms] })(
    AsksForUniforms,
  );
  return AsksForUniforms;
}

describe('@processor', () => {
  it.each([
    ['inject', 'tokenizer', 'an array of tokens', '"tokenizer"'],
    ['inject[0]', ['tokenizer'], 'a token, such as TOKENS.tokenizer, or `ifGiven` of one', '"tokenizer"'],
    ['inject[1]', [TOKENS.tokenizer, undefined], 'a token, such as TOKENS.tokenizer, or `ifGiven` of one', 'undefined'],
  ])('refuses a wrong %s', (name, wrong, domain, shown) => {
    const info = { name: 'x', options: none, stage: 'scores', inject: wrong };
    expect(() => processor(info as never)).toRefuse(`@processor: \`${name}\` must be ${domain}, got ${shown}`);
  });

  it('takes a constructor for what is injected, and no other', () => {
    class AsksForNumber extends Asking {
      constructor(options: object, count: number) {
        super(options, count);
      }
    }
    class NeedsTokenizer extends Asking {
      constructor(options: object, own: Tokenizer) {
        super(options, own);
      }
    }
    const ofTokenizer = processor({ name: 'x', options: none, stage: 'scores', inject: [TOKENS.tokenizer] });
    const ofNothing = processor({ name: 'y', options: none, stage: 'scores' });
    // @ts-expect-error: a number is not what is injected
    ofTokenizer(AsksForNumber);
    // @ts-expect-error: nothing is injected
    ofNothing(NeedsTokenizer);
    expect(processorInfo(AsksForNumber).inject).toEqual([TOKENS.tokenizer]);
    expect(processorInfo(NeedsTokenizer).inject).toBeUndefined();
  });
});

describe('createContainer', () => {
  it('registers what makes a processor by a name', () => {
    const entry = {
      name: 'named',
      inject: [TOKENS.tokenizer],
      make: (_: object, own: Tokenizer) => ({ name: 'named', own, process() {} }),
    };
    const own = createContainer(processorModule(entry));
    const { chain } = createSampler({}, { chain: [{ use: 'named' }], container: own, tokenizer });
    expect((chain.steps[0] as unknown as { own: unknown }).own).toBe(tokenizer);
    expect(() => processorModule({ ...entry, name: 'Named' })).toThrow(
      'processorModule: `name` must be a name in kebab-case',
    );
  });
});
