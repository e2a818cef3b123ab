import { InvalidValueError } from '../../errors.js';
import { finite, integerFrom, nonNegative, or, share } from '../parts/domains.js';
import { BEAMS, LENGTH, OF_REQUEST } from '../parts/reasons.js';
import { recentCounts } from '../parts/recent.js';
import { when } from '../parts/steps.js';
import { profileOf } from '../profile.js';

/**
 * The sampler of the pvml posts on small transformers: frequency over the whole text, temperature, then one of top-k and top-p.
 */
export const pvml = profileOf({
  name: 'pvml',
  system: 'the sampler of the pvml posts on small transformers: the fields of SamplingArgs',
  differs: [
    'the frequency penalty counts the prompt',
    'one of top-k and top-p, never both',
    'a top_p of 0 is off; 1 is off too',
    'there is no min-p, no repetition penalty and no presence penalty',
  ],
  params: {
    frequency_penalty: { schema: or(finite(), 0), help: 'taken once for each time that an id is in prompt or output' },
    temperature: { schema: or(nonNegative(), 1), help: 'divides the logits; 0 is greedy' },
    top_k: { schema: or(integerFrom(0), 0), help: 'keeps the k most likely; 0 is off' },
    top_p: { schema: or(share(), 0), help: 'keeps the most likely that together reach p; 0 is off' },
  },
  refused: {
    ...OF_REQUEST,
    max_new_tokens: LENGTH,
    beam_width: BEAMS,
  },
  steps: ({ frequency_penalty, temperature, top_k, top_p }) => {
    if (top_k > 0 && top_p > 0) {
      throw new InvalidValueError('profile pvml', 'top_p', 'absent beside top_k: it is one or the other', top_p);
    }
    return [
      ...recentCounts(0, frequency_penalty, undefined),
      { use: 'temperature', temperature },
      ...when(top_k > 0, { use: 'top-k', k: top_k }),
      ...when(top_p > 0 && top_p < 1, { use: 'top-p', p: top_p }),
    ];
  },
});
