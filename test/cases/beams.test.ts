/**
 * The public bug reports on beam search: fixtures/public-bugs/beams.json says what its fields mean.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BeamParamsInput } from '../../src/decode/beams/beam-params.js';
import type { BeamStep } from '../../src/decode/beams/beam-result.js';
import { beamSearch, beamSteps } from '../../src/decode/beams/beam-search.js';
import { InvalidValueError } from '../../src/index.js';
import { log } from '../../src/numerics/index.js';
import { ScriptedModel } from '../support/scripted-model.js';
import { type Check, testName } from './case-file.js';

interface Scored {
  readonly ids: readonly number[];
  readonly score: number;
}

interface BeamInput {
  readonly probabilities: Readonly<Record<string, readonly number[]>>;
  readonly ends: readonly number[];
  readonly params: BeamParamsInput;
  readonly rules: readonly ('spec' | 'hf')[];
}

interface BeamValues {
  readonly sequences?: readonly Scored[];
  readonly best?: Scored;
  readonly live?: readonly Scored[];
  readonly endsOnce?: boolean;
  readonly error?: string;
  readonly value?: number;
}

interface BeamCase {
  readonly number: string;
  readonly group: string;
  readonly kind: string;
  readonly addresses: readonly string[];
  readonly report: string;
  readonly behaviour: string;
  readonly checks: readonly Check<BeamInput, BeamValues>[];
}

/** A model's logits are float32, and so are the logarithms of the probabilities. */
const CLOSE = 1e-6;
const PROMPT = [0];

const file = readFileSync(new URL('../../fixtures/public-bugs/beams.json', import.meta.url), 'utf8');
const cases = (JSON.parse(file) as { readonly cases: readonly BeamCase[] }).cases;

for (const one of cases) {
  describe(`${one.number} (${one.group})`, () => {
    for (const check of one.checks) {
      for (const rules of check.input.rules) {
        it(`${testName(one, check)}, by the rules ${rules}`, async () => {
          expect(differing(check.right, await outcome(check.input, rules))).toEqual([]);
        });
      }

      it(`${testName(one, check)}, and what the fault gives differs`, () => {
        const fault = check.fault as BeamValues;
        expect(differing(check.right, fault)).toEqual(Object.keys(check.right));
      });
    }
  });
}

/** The values of a search. */
async function outcome(input: BeamInput, rules: 'spec' | 'hf'): Promise<BeamValues> {
  try {
    const first = (await beamSteps(modelOf(input), PROMPT, input.params, { rules }).next()).value as BeamStep;
    const { sequences } = await beamSearch(modelOf(input), PROMPT, input.params, { rules });
    const live = first.live.map(({ ids, logprob }) => ({ ids, score: logprob }));
    const endsOnce = sequences.every(({ ids }) => ids.slice(0, -1).every((id) => !input.ends.includes(id)));
    return { sequences, best: sequences[0] as Scored, live, endsOnce };
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    return { error: error.parameter, value: error.value as number };
  }
}

function modelOf({ probabilities, ends }: BeamInput): ScriptedModel {
  const rows = Object.values(probabilities);
  const after = (ids: readonly number[]) => probabilities[ids.join(' ')] ?? probabilities['*'] ?? rows[0] ?? [];
  return new ScriptedModel((rows[0] ?? []).length, 64, ends, (ids) => after(ids.slice(PROMPT.length)).map(log));
}

/** The names of the right values that `actual` has not. */
function differing(right: BeamValues, actual: BeamValues): string[] {
  return Object.keys(right).filter((name) => !same(right[name as keyof BeamValues], actual[name as keyof BeamValues]));
}

function same(right: unknown, actual: unknown): boolean {
  if (Array.isArray(right)) {
    return Array.isArray(actual) && right.length === actual.length && right.every((entry, i) => same(entry, actual[i]));
  }
  if (typeof right !== 'object') return Object.is(right, actual);
  const [a, b] = [right as Scored, actual as Scored | undefined];
  return b !== undefined && `${a.ids}` === `${b.ids}` && Math.abs(a.score - b.score) <= CLOSE;
}
