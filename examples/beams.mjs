/**
 * Beam search over the embedded model: three beams and their scores, first by the spec's rules, then by Hugging Face's with
 * no three ids twice; and one beam, which is greedy search.
 */
import { beamSearch, generate } from 'lockstep';
import { loadEmbedded } from 'lockstep/embedded';

const { model, tokenizer } = await loadEmbedded();
const prompt = 'In the beginning';

function print(title, { sequences }) {
  console.log(title);
  for (const { score, text } of sequences) console.log(`${score.toFixed(3).padStart(8)}  ${JSON.stringify(text)}`);
}

const three = { num_beams: 3, num_return_sequences: 3, max_tokens: 12, length_penalty: 0 };
print('three beams', await beamSearch(model, prompt, three, { tokenizer }));

const noRepeat = { num_beams: 3, max_tokens: 20, no_repeat_ngram_size: 3, early_stopping: true };
print('no three ids twice', await beamSearch(model, prompt, noRepeat, { tokenizer, rules: 'hf' }));

const one = await beamSearch(model, prompt, { num_beams: 1, max_tokens: 12 }, { tokenizer });
const greedy = await generate(model, tokenizer, prompt, { temperature: 0, max_tokens: 12 });
console.log(one.sequences[0].text === greedy.text ? 'one beam is greedy search' : 'THEY DIFFER');
