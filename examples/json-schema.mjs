/**
 * A JSON object from the embedded model: a grammar leaves only the tokens with which the text can still become JSON that
 * fits the schema, so that it does whatever the model knows of JSON, which is nothing.
 */
import { generate } from 'lockstep';
import { loadEmbedded } from 'lockstep/embedded';
import { createGrammars } from 'lockstep/grammar';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Z][a-z]{2,7}$' },
    years: { type: 'integer', minimum: 1, maximum: 969 },
    sons: { type: 'array', items: { enum: ['Shem', 'Ham', 'Japheth'] }, maxItems: 3 },
    king: { type: 'boolean' },
  },
  required: ['name', 'years', 'sons', 'king'],
  additionalProperties: false,
};

const { model, tokenizer } = await loadEmbedded();
const grammars = await createGrammars({ tokenizer, endIds: model.endIds });
const chain = [
  { use: 'grammar', json_schema: schema },
  { use: 'temperature', temperature: 0.8 },
];
const prompt = 'And Noah begat three sons. ';
const { text, logprobs, finish_reason } = await generate(model, tokenizer, prompt, { seed: 7 }, { chain, grammars });
console.log(text);
console.log(finish_reason, JSON.parse(text));
console.log(
  'logprob',
  logprobs.reduce((sum, logprob) => sum + logprob, 0),
);
grammars.dispose();
