/**
 * Steps that Hugging Face has too, against what transformers gives: fixtures/hf-steps, whose README says how it was made.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SynthId, WhisperTimestamps } from '../../processors/index.js';
import { logitsAfter } from './masks/plain-masks.js';
import { apply, kept } from './step.js';

interface File {
  readonly whisper: readonly {
    no_timestamps: number;
    eos: number;
    most: number | null;
    prompt: number[];
    output: number[];
    row: number[];
    kept: number[];
  }[];
  readonly synth: readonly { options: object; prompt: number[]; output: number[]; rows: number[][]; out: number[][] }[];
}

const file = new URL('../../fixtures/hf-steps/hf.json', import.meta.url);
const { whisper, synth } = JSON.parse(readFileSync(file, 'utf8')) as File;

/** How far our value may be from theirs, which has 14 digits. */
const NEAR = 1e-12;

describe('beside transformers', () => {
  it('WhisperTimestamps keeps the same ids, 300 times', () => {
    expect(whisper).toHaveLength(300);
    for (const one of whisper) {
      const most = one.most === null ? {} : { max_initial: one.most };
      const step = new WhisperTimestamps({ no_timestamps_id: one.no_timestamps, end_id: one.eos, ...most });
      const set = apply(step, one.row, { prompt: one.prompt, history: one.output });
      expect(kept(set), JSON.stringify(one)).toEqual(one.kept);
    }
  });

  it('SynthId gives the same logits up to the last digits, 208 times', () => {
    let marked = 0;
    for (const { options, prompt, output, rows, out } of synth) {
      const step = new SynthId(options as never);
      for (const [t, row] of rows.entries()) {
        const after = logitsAfter(step, row, { prompt, output: output.slice(0, t) });
        const far = (out[t] as number[]).findIndex(
          (l, id) => !(Math.abs(l - (after[id] as number)) <= NEAR * (1 + Math.abs(l))),
        );
        expect(far, `token ${t} of ${JSON.stringify(options)}`).toBe(-1);
        if (after.some((l, id) => l !== row[id])) marked++;
      }
    }
    expect(marked).toBeGreaterThan(100);
  });
});
