/**
 * Which parameters of a beam search go together. One that would have no effect is refused, not ignored.
 */
import { InvalidValueError } from '../../errors.js';
import { type BeamParams, validateBeamParams } from './beam-params.js';

/**
 * Whose rules: `spec` those of the spec, `hf` those of Hugging Face's `generate`.
 */
export type BeamRulesName = 'spec' | 'hf';

/** Parameters that mean something only where continuations are drawn. */
const DRAWING = ['temperature', 'top_k', 'top_p', 'min_p'] as const;

/** Throws InvalidValueError for the first parameter that does not go with the others or with the rules. */
export function checkTogether(params: BeamParams, rules: BeamRulesName): void {
  if (rules !== 'spec' && rules !== 'hf') throw new InvalidValueError('beamSearch', 'rules', '`spec` or `hf`', rules);
  const { num_beams, num_return_sequences } = params;
  if (num_return_sequences > num_beams) {
    refuse(params, 'num_return_sequences', `an integer in [1, ${num_beams}], at most num_beams`);
  }
  if (rules === 'spec') checkSpec(params);
  else if (num_beams === 1 && params.early_stopping !== false) {
    refuse(params, 'early_stopping', 'false where num_beams is 1');
  }
  checkGroups(params);
  checkDrawing(params);
}

function checkSpec(params: BeamParams): void {
  if (params.early_stopping !== false) refuse(params, 'early_stopping', 'false (the rules `hf` know others)');
  if (params.num_beam_groups !== 1) refuse(params, 'num_beam_groups', '1 (the rules `hf` know groups)');
  if (params.do_sample) refuse(params, 'do_sample', 'false (the rules `hf` draw)');
}

function checkGroups(params: BeamParams): void {
  const { num_beams, num_beam_groups, diversity_penalty } = params;
  if (num_beams % num_beam_groups !== 0) refuse(params, 'num_beam_groups', `a divisor of num_beams, ${num_beams}`);
  if (num_beam_groups === 1 && diversity_penalty !== 0) {
    refuse(params, 'diversity_penalty', '0 where there is one group');
  }
  if (num_beam_groups > 1 && diversity_penalty === 0) {
    refuse(params, 'diversity_penalty', 'a finite number > 0 where there are groups: they would be equal');
  }
  if (num_beam_groups > 1 && params.do_sample) refuse(params, 'do_sample', 'false where there are groups');
}

function checkDrawing(params: BeamParams): void {
  if (params.do_sample && params.num_beams === 1) {
    refuse(params, 'num_beams', 'an integer >= 2 where continuations are drawn (`generate` draws for one)');
  }
  if (!params.do_sample && params.seed !== undefined) refuse(params, 'seed', 'absent where do_sample is false');
  const off = validateBeamParams();
  for (const name of DRAWING) {
    if (!params.do_sample && params[name] !== off[name]) {
      refuse(params, name, `${off[name]} where do_sample is false`);
    }
  }
}

function refuse(params: BeamParams, name: keyof BeamParams, domain: string): never {
  throw new InvalidValueError('BeamParams', name, domain, params[name]);
}
