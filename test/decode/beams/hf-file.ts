/**
 * fixtures/beams/hf.json: what Hugging Face's `generate` found. Its README says how it was made.
 */
import { readFileSync } from 'node:fs';
import type { BeamParamsInput } from '../../../src/decode/beams/beam-params.js';
import { ScriptedModel } from '../../support/scripted-model.js';

/** The parameters under Hugging Face's names. */
export interface HfParams {
  readonly num_beams: number;
  readonly num_return_sequences: number;
  readonly length_penalty: number;
  readonly early_stopping: boolean | 'never';
  readonly no_repeat_ngram_size: number;
  readonly max_new_tokens: number;
  readonly min_new_tokens?: number;
  readonly repetition_penalty?: number;
  readonly eos_token_id: readonly number[];
  readonly num_beam_groups?: number;
  readonly diversity_penalty?: number;
}

export interface HfCase {
  readonly prompt: readonly number[];
  readonly text: string;
  readonly params: HfParams;
  readonly sequences: readonly { readonly ids: readonly number[]; readonly score: number }[];
}

interface HfFile {
  readonly logits: readonly (readonly (readonly number[])[])[];
  readonly table: readonly HfCase[];
  readonly groups: readonly HfCase[];
  readonly embedded: readonly HfCase[];
}

export const hf: HfFile = JSON.parse(
  readFileSync(new URL('../../../fixtures/beams/hf.json', import.meta.url), 'utf8'),
) as HfFile;

/** The model of the stored logits: by the number of ids modulo the number of tables, and the last id. */
export function tableModel(endIds: readonly number[] = []): ScriptedModel {
  const { logits } = hf;
  return new ScriptedModel(24, 64, endIds, (ids) => {
    const rows = logits[ids.length % logits.length] as (typeof logits)[number];
    return rows[ids.at(-1) as number] as readonly number[];
  });
}

/** The parameters under our names. */
export function toParams({ max_new_tokens, min_new_tokens = 0, ...same }: HfParams): BeamParamsInput {
  return { ...same, max_tokens: max_new_tokens, min_tokens: min_new_tokens };
}
