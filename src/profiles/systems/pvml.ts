import { InvalidValueError } from '../../errors.js';
import { integerFrom, nonNegative, or, share } from '../parts/domains.js';
import { BEAMS, LENGTH, OF_REQUEST, PROMPT_COUNTS } from '../parts/reasons.js';
import { when } from '../parts/steps.js';
import { profileOf } from '../profile.js';

/**
 * The sampler of the pvml posts on small transformers: temperature, then one of top-k and top-p.
 */
export const pvml = profileOf({
  name: 'pvml',
  system: 'the sampler of the pvml posts on small transformers: the fields of SamplingArgs',
  differs: [
    'one of top-k and top-p, never both',
    'a top_p of 0 is off; 1 is off too',
    'there is no min-p, no repetition penalty and no presence penalty',
  ],
  params: {
    temperature: { schema: or(nonNegative(), 1), help: 'divides the logits; 0 is greedy' },
    top_k: { schema: or(integerFrom(0), 0), help: 'keeps the k most likely; 0 is off' },
    top_p: { schema: or(share(), 0), help: 'keeps the most likely that together reach p; 0 is off' },
  },
  refused: {
    ...OF_REQUEST,
    max_new_tokens: LENGTH,
    frequency_penalty: PROMPT_COUNTS,
    beam_width: BEAMS,
  },
  steps: ({ temperature, top_k, top_p }) => {
    if (top_k > 0 && top_p > 0) {
      throw new InvalidValueError('profile pvml', 'top_p', 'absent beside top_k: it is one or the other', top_p);
    }
    return [
      { use: 'temperature', temperature },
      ...when(top_k > 0, { use: 'top-k', k: top_k }),
      ...when(top_p > 0 && top_p < 1, { use: 'top-p', p: top_p }),
    ];
  },
});
