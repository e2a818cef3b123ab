/**
 * What a user's program does with the installed package. It is copied into the user's project and imported there, so that
 * `lockstep` is what npm installed.
 */
import assert from 'node:assert/strict';
import {
  beamSearch,
  createSampler,
  generate,
  generateSpeculative,
  ProcessorChain,
  PromptLookupDrafter,
  restoreGeneration,
  restoreSampler,
  saveSampler,
} from 'lockstep';
import { createContainer, grammarModule } from 'lockstep/container';
import { loadEmbedded } from 'lockstep/embedded';
import { createGrammars } from 'lockstep/grammar';
import { MinP, PROCESSORS, Temperature } from 'lockstep/processors';

const LOGITS = Float32Array.of(1, 3, 2, 3, -1);
/** ln of e^0 over e^-2 + e^0 + e^-1 + e^0 + e^-4, as Python's math module gives it. */
const LOGPROB = -0.9248660042217248;

export const PROMPT = 'In the beginning';

/** Eight tokens of the embedded model, or fewer when it ends the text before. */
export async function eightTokens() {
  const { model, tokenizer } = await loadEmbedded();
  return generate(model, tokenizer, PROMPT, { temperature: 0.8, top_p: 0.95, max_tokens: 8, seed: 7 });
}

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Z][a-z]{2,7}$' },
    years: { type: 'integer', minimum: 1, maximum: 969 },
  },
  required: ['name', 'years'],
  additionalProperties: false,
};

/** JSON from the embedded model. */
export async function schemaText() {
  const { model, tokenizer } = await loadEmbedded();
  const grammars = await createGrammars({ tokenizer, endIds: model.endIds });
  const container = createContainer(grammarModule(grammars));
  const chain = [{ use: 'grammar', json_schema: SCHEMA }];
  return generate(model, tokenizer, PROMPT, { seed: 7 }, { chain, container });
}

/** Checks by name. */
export const checks = {
  'samples the worked example': () => {
    const token = createSampler({ top_k: 3, top_p: 0.8, seed: 0 }).sample(LOGITS);
    assert.deepEqual(token, { id: 3, logprob: LOGPROB });
  },
  'builds a chain of its own, of classes and a plain object': () => {
    const noOdd = { name: 'no-odd', stage: 'scores', process: (c) => c.keepIds((id) => id % 2 === 0) };
    const chain = new ProcessorChain([noOdd, new Temperature({ temperature: 0.5 }), new MinP({ m: 0.5 })]);
    const sampler = createSampler({ seed: 1 }, { chain });
    assert.equal(sampler.sample(LOGITS).id, 2);
  },
  'builds a chain from data and hands it off': () => {
    const chain = [{ use: 'top-k', k: 2 }, { use: 'logprobs' }, { use: 'temperature', temperature: 2 }];
    const sampler = createSampler({ seed: 5 }, { chain });
    const token = sampler.sample(LOGITS);
    assert.equal(token.logprob, -Math.LN2);
    const moved = restoreSampler(JSON.parse(JSON.stringify(saveSampler(sampler))));
    assert.deepEqual(moved.sample(LOGITS), sampler.sample(LOGITS));
  },
  'names its processors': () => {
    const names = PROCESSORS.map((target) => target.name);
    for (const name of ['RepetitionPenalty', 'PresenceFrequency', 'Temperature', 'TopK', 'TopP', 'MinP']) {
      assert.ok(names.includes(name), `${name} is missing`);
    }
  },
  'refuses a wrong parameter in one phrase': () => {
    assert.throws(() => createSampler({ top_p: 0 }), { message: /^SamplingParams: `top_p` must be .*, got 0$/ });
  },
  'loads the embedded model and generates eight tokens': async () => {
    const [first, second] = [await eightTokens(), await eightTokens()];
    assert.ok(first.ids.length === 8 || first.finish_reason === 'stop', `${first.ids.length} tokens`);
    assert.notEqual(first.text.trim(), '');
    assert.deepEqual(first, second);
  },
  'moves a generation in the middle': async () => {
    const { model, tokenizer } = await loadEmbedded();
    const generation = generate(model, tokenizer, PROMPT, { max_tokens: 6, seed: 7 });
    await generation[Symbol.asyncIterator]().next();
    const letter = JSON.stringify(generation.save());
    const { text } = await restoreGeneration(model, tokenizer, JSON.parse(letter));
    assert.ok((await generation).text.endsWith(text));
  },
  'searches with one beam and verifies drafts, which both give the greedy text': async () => {
    const { model, tokenizer } = await loadEmbedded();
    const params = { temperature: 0, max_tokens: 6 };
    const { text } = await generate(model, tokenizer, PROMPT, params);
    const drafter = new PromptLookupDrafter();
    assert.equal((await generateSpeculative(model, tokenizer, PROMPT, params, { drafter })).text, text);
    const { sequences } = await beamSearch(model, PROMPT, { max_tokens: 6 }, { tokenizer });
    assert.equal(sequences[0].text, text);
  },
  'writes JSON that fits a schema, with the engine of the package': async () => {
    const value = JSON.parse((await schemaText()).text);
    assert.deepEqual(Object.keys(value), ['name', 'years']);
    assert.ok(Number.isInteger(value.years) && value.years >= 1 && value.years <= 969, `years is ${value.years}`);
  },
};
