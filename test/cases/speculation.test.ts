/**
 * The public bug reports on speculative decoding, of fixtures/public-bugs/speculation.json.
 *
 * Three kinds of checks. `target`, `draft`: one position, a draft model with logits and parameters of its own; its `q`, the
 * chance to `accept` each drafted id, the `residual` (one for all ids that can be rejected) and the distribution of the
 * `output`. `p`, `q`, `id`, `u`: one verification by given uniforms. `logits` by position, `block`: a generation whose
 * drafter proposes the block first and nothing after it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generateSpeculative } from '../../src/decode/speculation/generate-speculative.js';
import { ModelDrafter } from '../../src/decode/speculation/model-drafter.js';
import { acceptRatio, residual, verifyDraft } from '../../src/decode/speculation/verify.js';
import type { SamplingParamsInput } from '../../src/index.js';
import { samplingDistribution } from '../../src/spec.js';
import { BlockModel } from '../decode/speculation/block-model.js';
import { ScriptedDrafter } from '../decode/speculation/scripted-drafter.js';
import { PieceTokenizer } from '../support/scripted-model.js';
import { ScriptedUniforms } from '../support/scripted-uniforms.js';
import { type NumberData, testName, toLogits } from './case-file.js';
import { masksOf } from './token-outcome.js';

interface StepCheck {
  readonly input: {
    readonly target: readonly NumberData[];
    readonly draft: { readonly logits: readonly NumberData[]; readonly params: SamplingParamsInput };
  };
  readonly right: {
    readonly q: readonly number[];
    readonly accept: Readonly<Record<string, number>>;
    readonly residual?: readonly number[];
    readonly output: readonly number[];
  };
}

interface VerifyCheck {
  readonly input: {
    readonly p: readonly number[];
    readonly q: readonly number[];
    readonly id: number;
    readonly u: readonly number[];
  };
  readonly right: {
    readonly ratio: number;
    readonly accepted: boolean;
    /** What an id is drawn from in the place of the drafted one. */
    readonly corrections?: readonly number[];
    readonly id: number;
  };
}

interface BlockCheck {
  readonly input: {
    readonly logits: readonly (readonly number[])[];
    readonly ban?: readonly number[];
    readonly end?: number;
    readonly block: readonly number[];
    readonly params: SamplingParamsInput;
  };
  readonly right: {
    readonly ids: readonly number[];
    readonly finish: 'stop' | 'length';
    readonly stoppedBy?: number;
    /** Ids of the block that were accepted. */
    readonly accepted: number;
  };
}

type Check = (StepCheck | VerifyCheck | BlockCheck) & { readonly when?: string; readonly fault?: object };

interface SpeculationCase {
  readonly number: string;
  readonly group: string;
  readonly kind: string;
  readonly addresses: readonly string[];
  readonly report: string;
  readonly behaviour: string;
  readonly checks: readonly Check[];
}

const file = new URL('../../fixtures/public-bugs/speculation.json', import.meta.url);
const cases: readonly SpeculationCase[] = JSON.parse(readFileSync(file, 'utf8')).cases;

for (const one of cases) {
  describe(`${one.number} (${one.group})`, () => {
    for (const check of one.checks) it(testName(one, check), () => holds(check));

    it(`${one.number} can fail: what the fault gives differs from what is right`, () => {
      const faults = one.checks.filter((check) => check.fault !== undefined);
      expect(faults.length).toBeGreaterThan(0);
      for (const { right, fault } of faults) {
        for (const [name, value] of Object.entries(fault as object)) {
          expect(right[name as keyof typeof right], name).not.toEqual(value);
        }
      }
    });
  });
}

async function holds(check: Check): Promise<void> {
  if ('target' in check.input) await holdsStep(check as StepCheck);
  else if ('p' in check.input) holdsVerify(check as VerifyCheck);
  else await holdsBlock(check as BlockCheck);
}

/** The distribution of the outcome, added up over what the draft model may draw. */
async function holdsStep({ input, right }: StepCheck): Promise<void> {
  const size = input.target.length;
  const p = samplingDistribution(toLogits(input.target), {});
  const output = new Float64Array(size);
  const q = new Float64Array(size);
  for (const draft of await drafted(input.draft)) {
    const chance = draft.q === undefined ? 1 : (draft.q[draft.id] as number);
    const accept = Math.min(1, acceptRatio(p, draft));
    expect(accept).toBeCloseTo(right.accept[draft.id] as number, 8);
    const other = residual(p, draft);
    if (accept < 1 && right.residual !== undefined) expectClose(other, right.residual);
    q[draft.id] = chance;
    for (let id = 0; id < size; id++) {
      const given = (id === draft.id ? accept : 0) + (1 - accept) * (other[id] as number);
      output[id] = (output[id] as number) + chance * given;
    }
  }
  expectClose(q, right.q);
  expectClose(output, right.output);
}

/** Each token that the draft model can propose, once, as it hands it over. */
async function drafted({ logits, params }: StepCheck['input']['draft']) {
  const model = new BlockModel(() => toLogits(logits));
  const found = new Map();
  for (let step = 0; step < 100; step++) {
    const uniforms = new ScriptedUniforms([step / 100]);
    const request = { prompt: [0], vocabSize: logits.length, endIds: [], uniform: () => uniforms.uniform() };
    const [draft] = await (await new ModelDrafter(model, params).open(request)).propose(1);
    if (draft !== undefined) found.set(draft.id, draft);
  }
  return found.values();
}

function holdsVerify({ input, right }: VerifyCheck): void {
  const p = Float64Array.from(input.p);
  const draft = { id: input.id, q: Float64Array.from(input.q) };
  const uniforms = new ScriptedUniforms(input.u);
  expect(acceptRatio(p, draft)).toBe(right.ratio);
  expect(verifyDraft(p, draft, uniforms)).toEqual({ id: right.id, isAccepted: right.accepted });
  expect(uniforms.taken).toBe(2);
  if (right.corrections !== undefined) expect([...residual(p, draft)]).toEqual(right.corrections);
}

async function holdsBlock({ input, right }: BlockCheck): Promise<void> {
  const { logits, block, end, params, ban = [] } = input;
  const model = new BlockModel((ids) => logits[ids.length - 1] as readonly number[], {
    endIds: end === undefined ? [] : [end],
  });
  const tokenizer = new PieceTokenizer(model.logitsAfter([0]).length === 3 ? ['a', 'b', 'c'] : [...'abcdefghij']);
  const drafter = ScriptedDrafter.blocks([block]);
  const before = masksOf({ logits: [], mask: { ban } });
  const options = { drafter, draftTokens: block.length, before };
  const result = await generateSpeculative(model, tokenizer, [0], params, options);
  expect(result).toMatchObject({ ids: right.ids, finish_reason: right.finish });
  expect(result.stopped_by).toBe(right.stoppedBy);
  expect(result.speculation).toMatchObject({ accepted: right.accepted, bonus: 0, targetCalls: 1 });
}

function expectClose(found: ArrayLike<number>, right: readonly number[]): void {
  expect(found.length).toBe(right.length);
  right.forEach((value, i) => {
    expect(found[i]).toBeCloseTo(value, 8);
  });
}
