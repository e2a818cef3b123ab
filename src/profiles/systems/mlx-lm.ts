import { InvalidValueError } from '../../errors.js';
import { biasById, integerFrom, nonNegative, numberIn, or, share } from '../parts/domains.js';
import { LENGTH, OF_REQUEST, WINDOW } from '../parts/reasons.js';
import { atLeast, bias, when } from '../parts/steps.js';
import { profileOf } from '../profile.js';

/**
 * mlx-lm: filters on the distribution as it is, and the temperature last.
 * Source: mlx-lm, sample_utils.py: make_sampler, make_logits_processors.
 */
export const mlxLm = profileOf({
  name: 'mlx-lm',
  system: 'mlx-lm: the arguments of make_sampler and make_logits_processors',
  differs: [
    'the temperature stands last: top-p, min-p, XTC and top-k see the distribution without it',
    'top-p stands in front of min-p, and both in front of top-k',
    'a temperature of 0, which is the default, is greedy without a look at the filters',
    'XTC there needs more than the threshold; here the threshold itself is enough',
  ],
  params: {
    temp: { schema: or(nonNegative(), 0), help: 'divides the logits; 0 is greedy', also: ['temperature'] },
    top_p: { schema: or(share(), 0), help: 'keeps the most likely that together reach p; 0 and 1 are off' },
    min_p: { schema: or(share(), 0), help: 'keeps those at least m times as likely as the best' },
    min_tokens_to_keep: { schema: or(integerFrom(1), 1), help: 'how many min-p keeps at least' },
    top_k: { schema: or(integerFrom(0), 0), help: 'keeps the k most likely; 0 is off' },
    xtc_probability: { schema: or(share(), 0), help: 'how often the most likely are left out; 0 is off' },
    xtc_threshold: {
      schema: or(
        numberIn('a number in [0, 0.5]', (x) => x >= 0 && x <= 0.5),
        0,
      ),
      help: 'how likely an id is that XTC may leave out',
    },
    logit_bias: { schema: biasById(), help: 'added to the logits of ids' },
  },
  refused: {
    ...OF_REQUEST,
    max_tokens: LENGTH,
    xtc_special_tokens: 'there each of them stays by itself; the step `xtc` then leaves out nothing at all',
    repetition_penalty: WINDOW,
    repetition_context_size: WINDOW,
    presence_penalty: WINDOW,
    presence_context_size: WINDOW,
    frequency_penalty: WINDOW,
    frequency_context_size: WINDOW,
  },
  steps: (p) => [
    ...bias(p.logit_bias),
    ...(p.temp === 0 ? [] : filters(p)),
    { use: 'temperature', temperature: p.temp },
  ],
});

interface FilterValues {
  readonly top_p: number;
  readonly min_p: number;
  readonly min_tokens_to_keep: number;
  readonly top_k: number;
  readonly xtc_probability: number;
  readonly xtc_threshold: number;
}

function filters(p: FilterValues) {
  if (p.xtc_probability > 0 && p.xtc_threshold === 0) {
    throw new InvalidValueError('profile mlx-lm', 'xtc_threshold', 'a number in (0, 0.5], as xtc_probability is on', 0);
  }
  return [
    ...when(p.top_p > 0 && p.top_p < 1, { use: 'top-p', p: p.top_p }),
    ...when(p.min_p > 0, { use: 'min-p', m: p.min_p, ...atLeast(p.min_tokens_to_keep) }),
    ...when(p.xtc_probability > 0, { use: 'xtc', probability: p.xtc_probability, threshold: p.xtc_threshold }),
    ...when(p.top_k > 0, { use: 'top-k', k: p.top_k }),
  ];
}
