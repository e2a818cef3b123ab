/**
 * Text from the embedded model: token by token as it comes, then as a whole.
 */
import { generate } from 'lockstep';
import { loadEmbedded } from 'lockstep/embedded';

const { model, tokenizer } = await loadEmbedded();
const prompt = 'In the beginning';
const params = { temperature: 0.8, top_p: 0.95, max_tokens: 60, seed: 7 };

const generation = generate(model, tokenizer, prompt, params);
process.stdout.write(prompt);
for await (const event of generation) process.stdout.write(event.text); // also event.id, .logprob, .entropy
process.stdout.write('\n');

const { text, ids, logprobs, finish_reason } = await generation; // the same run: it happens once
const nats = logprobs.reduce((sum, logprob) => sum + logprob, 0);
console.log(`${ids.length} tokens, ${(-nats / ids.length).toFixed(3)} nats a token, ended by ${finish_reason}`);

const again = await generate(model, tokenizer, prompt, params);
console.log(again.text === text ? 'the same seed gives the same text' : 'THE TEXTS DIFFER');
if (again.text !== text) process.exitCode = 1;
