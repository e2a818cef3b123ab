/**
 * The public bug reports of fixtures/public-bugs/grammar.json, which says what its fields mean.
 */
import { readFileSync } from 'node:fs';
import { ContainerModule } from 'inversify';
import { afterAll, describe, expect, it } from 'vitest';
import type { StepContext } from '../../processors/index.js';
import { createContainer, grammarModule, PARTS } from '../../src/container/index.js';
import { createGrammars, type GrammarOptions, type Grammars } from '../../src/grammar/index.js';
import { createSampler, generate, type SamplingParamsInput } from '../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';
import { type LogitsData, toLogits } from './case-file.js';

interface GrammarCheck {
  readonly when?: string;
  readonly input: {
    readonly pieces: readonly string[];
    readonly logits: LogitsData;
    readonly params: SamplingParamsInput & { readonly max_tokens: number };
    readonly grammar: GrammarOptions;
    readonly u?: readonly number[];
  };
  readonly right: {
    readonly ids: readonly number[];
    readonly logprobs?: readonly number[];
    text: string;
    finish: string;
  };
  readonly fault: { readonly ids: readonly number[] };
}

interface GrammarCase {
  readonly number: string;
  readonly behaviour: string;
  readonly checks: readonly GrammarCheck[];
}

const file = new URL('../../fixtures/public-bugs/grammar.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly GrammarCase[] };
const open: Grammars[] = [];

afterAll(() => {
  for (const grammars of open) grammars.dispose();
});

for (const { number, behaviour, checks } of cases) {
  describe(number, () => {
    for (const check of checks) {
      const name = `${number} ${behaviour}${check.when === undefined ? '' : `: ${check.when}`}`;
      for (const u of check.input.u ?? [undefined]) {
        it(u === undefined ? name : `${name}, u ${u}`, () => holds(check, u ?? 0));
      }
      it(`${name}: the fault differs`, () => expect(check.fault.ids).not.toEqual(check.right.ids));
    }
  });
}

async function holds({ input, right }: GrammarCheck, u: number): Promise<void> {
  const logits = Float32Array.from(toLogits(input.logits));
  const { before, container, tokenizer, endId } = await setUp(input, logits.length, u);
  const options = { before: before(), container };
  const sampler = createSampler(samplingParams(input.params), options);
  const sampled = right.ids.map(() => sampler.sample(logits));
  expect(sampled.map(({ id }) => id)).toEqual(right.ids);
  if (right.logprobs !== undefined) expect(sampled.map(({ logprob }) => logprob)).toEqual(right.logprobs);
  expect(() => sampler.sample(logits)).toThrow(/^Constrained \(step 1 of 7\): `grammar` must be/);

  const model = new ScriptedModel(logits.length, 40, [endId], () => logits, endId);
  const result = await generate(model, tokenizer, [], input.params, { before: before(), container });
  expect(result).toMatchObject({ text: right.text, finish_reason: right.finish, stopped_by: endId });
  expect([...result.ids, endId]).toEqual(right.ids);
}

/** A grammar over the pieces, whose steps come out of a container with a scripted uniform. */
async function setUp({ pieces, grammar }: GrammarCheck['input'], vocabSize: number, u: number) {
  const endId = pieces.length - 1;
  const tokenizer = new PieceTokenizer(pieces);
  const grammars = await createGrammars({ tokenizer, endIds: [endId], vocabSize });
  open.push(grammars);
  const scripted = new ContainerModule(({ rebind }) => {
    rebind(PARTS.uniforms).toConstantValue(() => ({ uniform: () => u }) satisfies Pick<StepContext, 'uniform'>);
  });
  const container = createContainer(grammarModule(grammars), scripted);
  const before = () => [container.get(PARTS.makeProcessor)('grammar', grammar)];
  return { before, container, tokenizer, endId };
}

function samplingParams({ max_tokens: _, ...params }: GrammarCheck['input']['params']): SamplingParamsInput {
  return params;
}
