/**
 * Speculative decoding: the model verifies what an n-gram table and the prompt itself propose. Greedy, the text is that of
 * plain decoding, with fewer calls of the model.
 */
import { generate, generateSpeculative, NgramTable, NgramTableDrafter, PromptLookupDrafter } from 'lockstep';
import { loadEmbedded } from 'lockstep/embedded';

const { model, tokenizer } = await loadEmbedded();
const prompt = 'And the LORD spake unto Moses, saying, And the LORD';
const params = { temperature: 0, max_tokens: 40 };

const plain = await generate(model, tokenizer, prompt, params);
const corpus = [tokenizer.encode(plain.text)]; // as if the text had been seen before
const drafters = {
  'n-gram table': new NgramTableDrafter(new NgramTable(corpus)),
  'the prompt': new PromptLookupDrafter(),
};

for (const [name, drafter] of Object.entries(drafters)) {
  const { text, ids, speculation } = await generateSpeculative(model, tokenizer, prompt, params, { drafter });
  const { drafted, accepted, targetCalls } = speculation;
  const same = text === plain.text ? 'the same text' : 'ANOTHER TEXT';
  console.log(
    `${name}: ${same}, ${ids.length} tokens in ${targetCalls} calls, ${accepted} of ${drafted} drafts accepted`,
  );
}
