/**
 * The rules `hf` against Hugging Face's `generate`: the same sequences token for token, scores within 1e-5 (there they
 * are added up in float32).
 */
import { describe, expect, it } from 'vitest';
import type { BeamSequence } from '../../../src/decode/beams/beam-result.js';
import { beamSearch } from '../../../src/decode/beams/beam-search.js';
import { loadEmbedded } from '../../../src/embedded/index.js';
import { type HfCase, hf, tableModel, toParams } from './hf-file.js';

const TOLERANCE = 1e-5;

/** What differs between the search's sequences and the stored ones; '' where nothing does. */
function difference(found: readonly BeamSequence[], { sequences, params }: HfCase, isGroups = false): string {
  const [end] = params.eos_token_id;
  const theirs = (sequence: BeamSequence) =>
    isGroups && sequence.finish_reason === 'stop' ? [...sequence.ids.slice(0, -1), end] : sequence.ids;
  if (found.length !== sequences.length) return `${found.length} sequences, not ${sequences.length}`;
  for (const [i, right] of sequences.entries()) {
    const sequence = found[i] as BeamSequence;
    if (`${theirs(sequence)}` !== `${right.ids}`) return `sequence ${i} is ${sequence.ids}, not ${right.ids}`;
    const distance = Math.abs(sequence.score - right.score);
    if (!(distance <= TOLERANCE * Math.max(1, Math.abs(right.score)))) {
      return `score ${i} is ${sequence.score}, not ${right.score}`;
    }
  }
  return '';
}

describe('beamSearch by the rules hf', () => {
  it.each(hf.table.map((hfCase, i) => ({ hfCase, i })))(
    'finds what Hugging Face finds on stored logits, search $i',
    async ({ hfCase }) => {
      const { sequences } = await beamSearch(tableModel(), hfCase.prompt, toParams(hfCase.params), { rules: 'hf' });
      expect(difference(sequences, hfCase)).toBe('');
    },
  );

  it.each(hf.groups.map((hfCase, i) => ({ hfCase, i })))(
    'finds what Hugging Face found in groups, search $i, but for the end id, of which there the first stands for all',
    async ({ hfCase }) => {
      const { sequences } = await beamSearch(tableModel(), hfCase.prompt, toParams(hfCase.params), { rules: 'hf' });
      expect(difference(sequences, hfCase, true)).toBe('');
    },
  );

  it('finds what Hugging Face finds with the embedded model, with and without repeated trigrams', async () => {
    const { model, tokenizer } = await loadEmbedded();
    for (const hfCase of hf.embedded) {
      const options = { rules: 'hf', tokenizer } as const;
      const { sequences } = await beamSearch(model, hfCase.text, toParams(hfCase.params), options);
      expect(difference(sequences, hfCase)).toBe('');
    }
  });
});
