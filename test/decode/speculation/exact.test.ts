import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../../processors/index.js';
import type { Drafter, DraftSession } from '../../../src/decode/speculation/draft.js';
import { generateSpeculative } from '../../../src/decode/speculation/generate-speculative.js';
import { ModelDrafter } from '../../../src/decode/speculation/model-drafter.js';
import { NgramTable } from '../../../src/decode/speculation/ngram-table.js';
import { NgramTableDrafter } from '../../../src/decode/speculation/ngram-table-drafter.js';
import { PromptLookupDrafter } from '../../../src/decode/speculation/prompt-lookup-drafter.js';
import { createSampler, type SamplingParamsInput } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { PieceTokenizer, ScriptedModel } from '../../support/scripted-model.js';
import { drawingFrom, ScriptedUniforms } from '../../support/scripted-uniforms.js';
import { type Outcome, outcomes, type Scheme, targetOutcomes } from './outcomes.js';
import { RunCounter } from './run-counter.js';

type Ids = readonly number[];

const V = 4;
const END = 3;
const PROMPT = [0, 1, 0];
const tokenizer = new PieceTokenizer(['a', 'b', 'c', '']);

/** Logits that depend on every id before. */
function randomModel(salt: number, spread: number): ScriptedModel {
  const logitsAfter = (ids: Ids) => {
    const rng = new Pcg32(ids.reduce((h, id) => (h * 31 + id + 1) % 1_000_003, salt));
    return Float32Array.from({ length: V }, () => rng.uniform() * spread);
  };
  return new ScriptedModel(V, 40, [END], logitsAfter);
}

interface Side {
  readonly model: ScriptedModel;
  readonly params: SamplingParamsInput;
  readonly before?: () => readonly LogitsProcessor[];
}

/** What `side` draws from after `output`, by a sampler made for this one question; remembered. */
function distributionsOf({ model, params, before = () => [] }: Side): (output: Ids) => Float64Array {
  const known = new Map<string, Float64Array>();
  return (output) => {
    const found = known.get(output.join());
    if (found !== undefined) return found;
    const sampler = createSampler(params, { prompt: PROMPT, history: [...output], before: before() });
    const q = sampler.distribution(Float32Array.from(model.logitsAfter([...PROMPT, ...output])));
    known.set(output.join(), q);
    return q;
  };
}

function byModel(side: Side): Scheme['drafter'] {
  const q = distributionsOf(side);
  return (output, drafted) => q([...output, ...drafted]);
}

/** The ids of a deterministic drafter, from a session that was told the history at once. */
function byDrafter(drafter: Drafter, draftTokens: number): Scheme['drafter'] {
  return (output, drafted) => {
    const uniform = () => expect.fail('a deterministic drafter draws');
    const session = drafter.open({ prompt: PROMPT, vocabSize: V, endIds: [END], uniform }) as DraftSession;
    session.accept(output);
    return (session.propose(draftTokens) as { id: number }[])[drafted.length]?.id;
  };
}

interface Setting {
  readonly why: string;
  readonly target: Side;
  readonly draft: Side | Drafter;
  readonly draftTokens: number;
  readonly maxTokens: number;
}

const sharp = randomModel(7, 6);
const flat = randomModel(11, 3);
const penalties = { repetition_penalty: 1.3, presence_penalty: 0.4, frequency_penalty: 0.3 };
const counted = () => [new RunCounter()];

const SETTINGS: Setting[] = [
  {
    why: 'no policy at all',
    target: { model: sharp, params: {} },
    draft: { model: flat, params: {} },
    draftTokens: 2,
    maxTokens: 2,
  },
  {
    why: 'temperature, top-p and penalties on both sides',
    target: { model: flat, params: { temperature: 0.8, top_p: 0.9, ...penalties } },
    draft: { model: sharp, params: { temperature: 1.4, top_p: 0.95, presence_penalty: -0.5 } },
    draftTokens: 2,
    maxTokens: 3,
  },
  {
    why: 'top-k and min-p, three ids a block, a step with a state on both sides',
    target: { model: flat, params: { top_k: 3, min_p: 0.05, temperature: 1.5, ...penalties }, before: counted },
    draft: { model: flat, params: { top_k: 2, repetition_penalty: 0.7 }, before: counted },
    draftTokens: 3,
    maxTokens: 4,
  },
  {
    why: 'a draft that knows only what the target filters out, now and then',
    target: { model: sharp, params: { top_k: 1, ...penalties } },
    draft: { model: flat, params: { top_p: 0.5 } },
    draftTokens: 2,
    maxTokens: 4,
  },
  {
    why: 'a greedy draft',
    target: { model: flat, params: { top_p: 0.9, ...penalties }, before: counted },
    draft: { model: sharp, params: { temperature: 0, repetition_penalty: 1.5 } },
    draftTokens: 3,
    maxTokens: 4,
  },
  {
    why: 'the target as its own draft',
    target: { model: sharp, params: { temperature: 0.7, top_p: 0.95, ...penalties } },
    draft: { model: sharp, params: { temperature: 0.7, top_p: 0.95, ...penalties } },
    draftTokens: 2,
    maxTokens: 3,
  },
  {
    why: 'prompt lookup',
    target: { model: flat, params: { top_p: 0.95, temperature: 0.9, ...penalties }, before: counted },
    draft: new PromptLookupDrafter({ minNgram: 1 }),
    draftTokens: 3,
    maxTokens: 4,
  },
  {
    why: 'an n-gram table',
    target: { model: flat, params: { top_k: 3, min_p: 0.1, ...penalties } },
    draft: new NgramTableDrafter(new NgramTable([[0, 1, 2, 0, 1, 1, 2, 3]], 3)),
    draftTokens: 2,
    maxTokens: 4,
  },
];

function schemeOf({ target, draft, draftTokens, maxTokens }: Setting): Scheme {
  const drafter = isDrafter(draft) ? byDrafter(draft, draftTokens) : settledAsIds(draft);
  return { target: distributionsOf(target), drafter, draftTokens, maxTokens, endId: END };
}

/** A greedy side drafts ids; another draws them. */
function settledAsIds(side: Side): Scheme['drafter'] {
  const q = byModel(side);
  if (side.params.temperature !== 0) return q;
  return (output, drafted) => (q(output, drafted) as Float64Array).indexOf(1);
}

function isDrafter(draft: Side | Drafter): draft is Drafter {
  return 'open' in draft;
}

function drafterOf({ draft }: Setting): Drafter {
  if (isDrafter(draft)) return draft;
  return new ModelDrafter(draft.model, draft.params, { before: draft.before?.() ?? [] });
}

/** What the next run draws from. */
let upcoming = new ScriptedUniforms([]);
const container = drawingFrom(() => upcoming);

/** Runs the real thing on the uniforms of `outcome`. */
async function replay(setting: Setting, { uniforms }: Outcome): Promise<{ ids: Ids; taken: number }> {
  upcoming = new ScriptedUniforms(uniforms);
  const { model, params, before = () => [] } = setting.target;
  const { ids, stopped_by } = await generateSpeculative(
    model,
    tokenizer,
    PROMPT,
    { ...params, max_tokens: setting.maxTokens },
    {
      drafter: drafterOf(setting),
      draftTokens: setting.draftTokens,
      before: before(),
      container,
    },
  );
  return { ids: stopped_by === undefined ? ids : [...ids, END], taken: upcoming.taken };
}

/** Enough to see every kind of way, few enough to be quick. */
const REPLAYS = 400;

describe.each(SETTINGS)('speculative sampling with $why', (setting) => {
  const scheme = schemeOf(setting);

  it('gives the distribution of the target, summed over every outcome', () => {
    const found = new Map<string, number>();
    for (const { ids, probability } of outcomes(scheme)) {
      found.set(ids.join(), (found.get(ids.join()) ?? 0) + probability);
    }
    const right = targetOutcomes(scheme);
    expect([...found.keys()].sort()).toEqual([...right.keys()].sort());
    for (const [ids, p] of right) expect(Math.abs((found.get(ids) as number) - p), ids).toBeLessThan(1e-12);
    expect([...right.values()].reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  });

  it('goes that way, with just as many draws, when it draws those uniforms', async () => {
    const all = [...outcomes(scheme)];
    const stride = Math.ceil(all.length / REPLAYS);
    for (let i = 0; i < all.length; i += stride) {
      const outcome = all[i] as Outcome;
      const { ids, taken } = await replay(setting, outcome);
      expect({ ids, taken }, `outcome ${i} of ${all.length}`).toEqual({
        ids: outcome.ids,
        taken: outcome.uniforms.length,
      });
    }
  });
});
