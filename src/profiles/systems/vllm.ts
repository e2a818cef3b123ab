import { biasById, ids, numberIn, or, positive, share } from '../parts/domains.js';
import { BEAMS, GRAMMAR, LENGTH, OF_REQUEST } from '../parts/reasons.js';
import { bias, when } from '../parts/steps.js';
import { profileOf } from '../profile.js';

/** Below this a temperature is greedy; from here to `LEAST` it is raised. */
const GREEDY = 1e-5;
const LEAST = 0.01;

const penalty = () => numberIn('a number in [-2, 2]', (x) => x >= -2 && x <= 2);

/**
 * vLLM's engine V1: biases and penalties, greedy or temperature, then min-p before top-k and top-p.
 * Source: vLLM, SamplingParams and v1/sample/sampler.py.
 */
export const vllm = profileOf({
  name: 'vllm',
  system: 'vLLM, engine V1: the fields of SamplingParams',
  differs: [
    'min-p stands in front of top-k and top-p, right behind the temperature',
    'a temperature below 0.00001 is greedy, and one from there to 0.01 is raised to 0.01',
    'there, all ids tied at the place k of top-k stay; here the lowest do',
  ],
  params: {
    temperature: {
      schema: or(
        numberIn('a number in [0, 2]', (x) => x >= 0 && x <= 2),
        1,
      ),
      help: 'divides the logits',
    },
    top_k: {
      schema: or(numberIn('-1, 0 or an integer >= 1', isTopK), 0),
      help: 'keeps the k most likely; 0 and -1 are off',
    },
    top_p: {
      schema: or(
        numberIn('a number in (0, 1]', (x) => x > 0 && x <= 1),
        1,
      ),
      help: 'keeps the most likely that together reach p',
    },
    min_p: { schema: or(share(), 0), help: 'keeps those at least m times as likely as the best' },
    repetition_penalty: {
      schema: or(positive(), 1),
      help: 'divides or multiplies the logits of ids of prompt and output',
    },
    presence_penalty: { schema: or(penalty(), 0), help: 'taken from the logits of ids generated before' },
    frequency_penalty: { schema: or(penalty(), 0), help: 'taken once for each time that an id was generated' },
    logit_bias: { schema: biasById(), help: 'added to the logits of ids, cut to [-100, 100]' },
    allowed_token_ids: { schema: ids(), help: 'the only ids that may come' },
  },
  refused: {
    ...OF_REQUEST,
    max_tokens: LENGTH,
    n: 'it belongs to the request: `n`',
    min_tokens: 'it needs the end ids of the model: the step `min-tokens` in a chain of your own has them',
    bad_words: 'there a word is matched in the output only; the step `bad-words` counts the prompt too',
    stop_token_ids: 'it belongs to the request: `stop_token_ids`',
    ignore_eos: 'it belongs to the request, whose model says its end ids',
    prompt_logprobs: 'it belongs to the request, and is not of the chain',
    structured_outputs: GRAMMAR,
    guided_decoding: GRAMMAR,
    use_beam_search: BEAMS,
    thinking_token_budget: 'it needs the ids that begin and end the reasoning: the step `thinking-budget` has them',
    logits_processors: 'a function is no data: give a chain of your own',
  },
  steps: (p) => [
    ...when(p.allowed_token_ids !== undefined, { use: 'allowed-tokens', ids: p.allowed_token_ids }),
    ...bias(clamped(p.logit_bias)),
    ...when(p.repetition_penalty !== 1, { use: 'repetition-penalty', penalty: p.repetition_penalty }),
    ...when(p.presence_penalty !== 0 || p.frequency_penalty !== 0, {
      use: 'presence-frequency',
      presence: p.presence_penalty,
      frequency: p.frequency_penalty,
    }),
    { use: 'temperature', temperature: p.temperature < GREEDY ? 0 : Math.max(p.temperature, LEAST) },
    ...when(p.min_p > 0, { use: 'min-p', m: p.min_p }),
    ...when(p.top_k > 0, { use: 'top-k', k: p.top_k }),
    ...when(p.top_p < 1, { use: 'top-p', p: p.top_p }),
  ],
});

function isTopK(x: number): boolean {
  return Number.isInteger(x) && x >= -1;
}

/** vLLM cuts biases to [-100, 100]. */
function clamped(given: Readonly<Record<string, number>> | undefined): Readonly<Record<string, number>> | undefined {
  if (given === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(given).map(([id, value]) => [
      id,
      Number.isFinite(value) ? Math.min(Math.max(value, -100), 100) : value,
    ]),
  );
}
