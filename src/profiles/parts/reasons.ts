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
export const WINDOW = 'a penalty over a window of ids is not honoured yet';
export const PROMPT_COUNTS = 'it counts the ids of the prompt too, which is not honoured yet';
export const DRY = 'the DRY penalty is not honoured yet';
