/**
 * Beam search: several sequences side by side, of which the best are kept.
 *
 * Per step: the model's logits behind every live beam, their logprobs after the processors, and the continuations that
 * the rules keep. The rules are the spec's, or with `rules: 'hf'` those of Hugging Face's `generate`.
 * Source: docs/SPEC.md, "Beam search".
 */
import type { LanguageModel } from '../../model/language-model.js';
import type { Seed } from '../../random/seed.js';
import type { Prompt } from '../prompt-ids.js';
import { nthSeed } from '../run/nth-seed.js';
import { withSeed } from '../run/with-seed.js';
import type { BeamParamsInput } from './beam-params.js';
import { type BeamResult, type BeamSequence, type BeamStep, toLive, toSequence } from './beam-result.js';
import { byScore, type Ended } from './beam-rules.js';
import { type BeamSearchOptions, prepareSearch, type Search } from './prepare-search.js';

/**
 * The best sequences after `prompt`, a text or ids without the model's begin token.
 * Throws InvalidValueError for parameters, a prompt or a chain that do not fit, before the model is asked anything.
 */
export async function beamSearch(
  model: LanguageModel,
  prompt: Prompt,
  params: BeamParamsInput = {},
  options: BeamSearchOptions = {},
): Promise<BeamResult> {
  const steps = beamSteps(model, prompt, params, options);
  for (;;) {
    const { done, value } = await steps.next();
    if (done === true) return value;
  }
}

/**
 * As `beamSearch`, step by step: yields after each, and returns the result. Wrong parameters are refused here, not by
 * the first `next`.
 */
export function beamSteps(
  model: LanguageModel,
  prompt: Prompt,
  params: BeamParamsInput = {},
  options: BeamSearchOptions = {},
): AsyncGenerator<BeamStep, BeamResult, undefined> {
  return run(prepareSearch(model, prompt, params, options));
}

async function* run(search: Search): AsyncGenerator<BeamStep, BeamResult, undefined> {
  const { rules, rows, lanes, signal } = search;
  let step = 0;
  rows.open();
  try {
    while (rules.live.length > 0) {
      signal?.throwIfAborted();
      const logits = await lanes.logits(rules.live, signal);
      rules.advance((beam, used) => rows.row(beam, logits.get(beam) as Float32Array, used));
      rows.hear(rules.ended.map(({ hypothesis }) => hypothesis));
      rows.follow(rules.live);
      step++;
      yield stepOf(search, step);
    }
  } finally {
    try {
      rows.close();
    } finally {
      await lanes.close();
    }
  }
  return result(search, step);
}

/** The search as it is after `step`; its ids and texts are put together when they are read. */
function stepOf(search: Search, step: number): BeamStep {
  const { rules } = search;
  const [live, ended] = [rules.live, [...rules.ended]];
  const shownLive = once(() => live.map(toLive));
  const shownEnded = once(() => ended.map((one) => sequenceOf(one, search)));
  return {
    step,
    get live() {
      return shownLive();
    },
    get ended() {
      return shownEnded();
    },
  };
}

function sequenceOf(ended: Ended, { tokenizer, params, rows }: Search): BeamSequence {
  return toSequence(ended, tokenizer, params, rows.reports(ended.hypothesis));
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The best of what ended; beams that could not go on fill up where too few did. */
function result(search: Search, steps: number): BeamResult {
  const { params, rules, rows, scoreOf } = search;
  const exhausted = Array.from(
    rows.exhausted,
    (hypothesis): Ended => ({
      hypothesis,
      score: hypothesis.length === 0 ? 0 : scoreOf(hypothesis.logprob, hypothesis.length),
      finish_reason: 'exhausted',
    }),
  );
  const best = [...rules.ended, ...byScore(exhausted)].slice(0, params.num_return_sequences);
  return withSeed({
    sequences: best.map((ended) => sequenceOf(ended, search)),
    steps,
    ...(params.do_sample ? { seed: nthSeed(params.seed as Seed, 0) } : {}),
  });
}
