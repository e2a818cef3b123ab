import { describe, expect, it } from 'vitest';
import { EmbeddedModel } from '../../src/embedded/embedded-model.js';
import { Safetensors } from '../../src/embedded/safetensors.js';
import { fixtureBytes, fixtureJson, torchCases } from './fixture-files.js';

interface BitsFile {
  readonly weights: string;
  readonly prompts: readonly {
    readonly ids: readonly number[];
    readonly rows: readonly { position: number; digest: string; top: readonly (readonly [number, string])[] }[];
  }[];
}

const BITS = fixtureJson('bits.json') as BitsFile;
const REMAKE = 'make it anew: npm run build && node fixtures/model/make_bits.mjs';

/** FNV-1a, 32 bits. */
function fnv1a(bytes: Iterable<number>): string {
  let hash = 2166136261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** The 8 hexadecimal digits of each float32. */
function patterns(logits: Float32Array): string[] {
  const view = new DataView(new ArrayBuffer(4));
  return Array.from(logits, (logit) => {
    view.setFloat32(0, logit);
    return view.getUint32(0).toString(16).padStart(8, '0');
  });
}

/** The bytes that these patterns are, the last pair of digits of each first. */
function littleEndian(words: readonly string[]): number[] {
  return words.flatMap((word) => [6, 4, 2, 0].map((at) => Number.parseInt(word.slice(at, at + 2), 16)));
}

describe('bits.json', () => {
  it('was made from the weights and the prompts that are there', () => {
    expect(BITS.weights, REMAKE).toBe(fnv1a(fixtureBytes('weights.safetensors')));
    expect(
      BITS.prompts.map(({ ids }) => ids),
      REMAKE,
    ).toEqual(torchCases().map(({ ids }) => ids));
  });

  it.each(BITS.prompts.map((prompt, n) => ({ n, ...prompt })))(
    'holds the logits to the bit: prompt $n',
    ({ ids, rows }) => {
      const model = new EmbeddedModel(fixtureJson('config.json'), new Safetensors(fixtureBytes('weights.safetensors')));
      const session = model.open();
      expect(rows.length).toBeGreaterThan(0);
      for (const { position, digest, top } of rows) {
        const words = patterns(session.append(ids.slice(session.length, position + 1)));
        expect(top).toHaveLength(32);
        expect(top.map(([id]) => [id, words[id]])).toEqual(top);
        expect(fnv1a(littleEndian(words)), `digest at position ${position}`).toBe(digest);
      }
    },
  );
});
