import { finite, integer, or } from '../parts/domains.js';
import { GRAMMAR, LENGTH, OF_REQUEST } from '../parts/reasons.js';
import { when } from '../parts/steps.js';
import { profileOf } from '../profile.js';

const NO_PENALTIES = 'the sampler of its own engine has no penalties and ignores it';
const NOT_THERE = 'the sampler of its own engine does not have it and ignores it';

/**
 * Ollama's own engine: top-k on the logits, temperature, top-p, min-p.
 * Source: ollama, sample/samplers.go and sample/transforms.go.
 */
export const ollama = profileOf({
  name: 'ollama',
  system: "Ollama's own engine: the fields of `options` and of a Modelfile",
  differs: [
    'top-k stands in front of the temperature, which changes nothing but rounding',
    'top_k 40, top_p 0.9 and temperature 0.8 where nothing is said',
    'top-p needs a sum above p there; here a sum of exactly p is enough',
    'values below 0, and of min_p and top_p those above 1, are cut to the range, as there',
  ],
  params: {
    temperature: { schema: or(finite(), 0.8), help: 'divides the logits; 0 and below is greedy' },
    top_k: { schema: or(integer(), 40), help: 'keeps the k most likely; 0 and below is off' },
    top_p: { schema: or(finite(), 0.9), help: 'keeps the most likely that together reach p' },
    min_p: { schema: or(finite(), 0), help: 'keeps those at least m times as likely as the best' },
  },
  refused: {
    ...OF_REQUEST,
    num_predict: LENGTH,
    num_ctx: 'it belongs to the model',
    num_keep: 'it belongs to the model',
    repeat_penalty: NO_PENALTIES,
    repeat_last_n: NO_PENALTIES,
    presence_penalty: NO_PENALTIES,
    frequency_penalty: NO_PENALTIES,
    penalize_newline: NO_PENALTIES,
    typical_p: NOT_THERE,
    tfs_z: NOT_THERE,
    mirostat: NOT_THERE,
    mirostat_tau: NOT_THERE,
    mirostat_eta: NOT_THERE,
    format: GRAMMAR,
  },
  steps: ({ temperature, top_k, top_p, min_p }) => [
    ...when(top_k > 0, { use: 'top-k', k: top_k }),
    { use: 'temperature', temperature: Math.max(temperature, 0) },
    ...when(top_p < 1, top_p <= 0 ? { use: 'top-k', k: 1 } : { use: 'top-p', p: top_p }),
    ...when(min_p > 0, { use: 'min-p', m: Math.min(min_p, 1) }),
  ],
});
