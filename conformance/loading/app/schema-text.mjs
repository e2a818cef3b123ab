/**
 * JSON of the embedded model that fits a schema, and what the grammar allows along it: the same everywhere.
 */
import { generate } from 'lockstep';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Z][a-z]{2,7}$' },
    years: { type: 'integer', minimum: 1, maximum: 969 },
  },
  required: ['name', 'years'],
  additionalProperties: false,
};

/** Ids of the embedded model, at most 40 of them. */
export async function schemaIds({ model, tokenizer }, grammars) {
  const chain = [
    { use: 'grammar', json_schema: SCHEMA, close: true },
    { use: 'temperature', temperature: 0.8 },
  ];
  const { ids } = await generate(model, tokenizer, 'In', { seed: 7, max_tokens: 40 }, { chain, grammars });
  return ids;
}

/** How many ids the grammar allows before each of `ids` and after the last. */
export function allowedAlong(grammars, ids) {
  const constraint = grammars.jsonSchema(SCHEMA).constraint();
  return [undefined, ...ids].map((id) => {
    if (id !== undefined) constraint.advance(id);
    return constraint.mask().reduce((sum, word) => sum + bitsOf(word), 0);
  });
}

function bitsOf(word) {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
