/**
 * Why parameters are refused that several systems have.
 */

/** Parameters that belong to the request, and not to the chain. */
export const OF_REQUEST = {
  seed: 'the seed is that of the request, and gives other draws than the system',
  stop: 'it belongs to the request: `stop`',
  logprobs: 'it belongs to the request: `logprobs`',
};

export const LENGTH = 'it belongs to the request: `max_tokens`';
export const GRAMMAR = 'grammars are a step of their own: `grammar`, of lockstep/grammar';
export const BEAMS = 'beam search is `beamSearch` of lockstep/decode';
export const WINDOW = 'there the window begins at the last id of the prompt, which no step here has';
export const SECOND =
  'it needs a second vector of logits, which a chain of data does not have: the step `guidance` takes a function';
