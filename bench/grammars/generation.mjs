/**
 * What a grammar adds to a token of `generate`: texts with and without one in turn, by a model that does nothing.
 */
import { generate } from 'lockstep';
import { NormalSource, Pcg32 } from 'lockstep/random';
import { flatModel } from '../flat-model.mjs';
import { median } from '../measure.mjs';

const TOKENS = 60;
const SCHEMAS = 12;
const ROUNDS = 3;
const PARAMS = { temperature: 0.8, max_tokens: TOKENS };

/** Milliseconds of a token at the median: without a grammar, and by engine with one and what it adds. */
export async function measureGeneration(engines, schemas, { tokenizer, endIds }, Constrained) {
  const model = flatModel(normalLogits(tokenizer.vocabSize), { endIds });
  const kinds = [{ name: 'none' }, ...engines];
  const times = new Map(kinds.map(({ name }) => [name, []]));
  const step = Math.floor(schemas.length / SCHEMAS);
  for (let i = 0; i < SCHEMAS; i++) {
    const grammars = await compileFor(engines, schemas[i * step].schema);
    if (grammars === undefined) continue;
    for (let seed = 0; seed < ROUNDS; seed++) {
      for (const { name, constraint } of kinds) {
        const before = name === 'none' ? [] : [new Constrained(constraint(grammars.get(name)))];
        times.get(name).push(...(await tokenTimes(model, tokenizer, { ...PARAMS, seed }, before)));
      }
    }
  }
  const without = median(times.get('none'));
  const by = ({ name }) => [name, { token: median(times.get(name)), adds: median(times.get(name)) - without }];
  return { tokens: times.get('none').length, without, ...Object.fromEntries(engines.map(by)) };
}

/** A grammar by engine, where all of them take the schema. */
async function compileFor(engines, schema) {
  const grammars = new Map();
  try {
    for (const engine of engines) grammars.set(engine.name, await engine.compile(schema));
    return grammars;
  } catch {
    return undefined;
  }
}

async function tokenTimes(model, tokenizer, params, before) {
  const times = [];
  let begin = performance.now();
  for await (const event of generate(model, tokenizer, [1], params, { before })) {
    if (event.type !== 'token') continue;
    const now = performance.now();
    times.push(now - begin);
    begin = performance.now();
  }
  return times.slice(1); // the first waits for what is made once
}

/** Logits of no shape, the same in every run. */
function normalLogits(length) {
  const normals = new NormalSource(new Pcg32(2024n, 1n));
  return Float32Array.from({ length }, () => 3 * normals.normal());
}
