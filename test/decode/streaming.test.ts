/**
 * Text as it streams: 500 random texts of characters of one to four bytes, emoji sequences and stop strings, cut into
 * tokens at random bytes, at every byte, and the short ones once at each single byte.
 */
import { describe, expect, it } from 'vitest';
import { TextStream } from '../../src/decode/text/text-stream.js';
import { generate } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { saying } from '../support/scripted-model.js';

const UNITS = [
  ...['a', 'b', 'a', 'b', ' ', '\n', 'é', 'ß', 'İ', 'e\u0301', '中', '한', '\ufeff', '\ufffd', '\u{10ffff}'],
  ...['😀', '🦊', '😁', '👍🏽', '👍', '🇩🇪', '🇩🇰', '👨‍👩‍👧', '👨‍👩‍👦', '❤️', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
];

interface Sample {
  readonly text: string;
  readonly stop: readonly string[];
}

function randomSample(random: Pcg32): Sample {
  const unit = () => UNITS[random.below(UNITS.length)] as string;
  const text = Array.from({ length: 1 + random.below(14) }, unit).join('');
  const stop = Array.from({ length: random.below(4) }, () => randomStop(random, text, unit));
  return { text, stop };
}

/** Out of the text, out of it with another end, or from anywhere; cut between characters, not between units. */
function randomStop(random: Pcg32, text: string, unit: () => string): string {
  const characters = [...text];
  const from = random.below(characters.length);
  const part = characters.slice(from, from + 1 + random.below(4)).join('');
  return [part, part + unit(), unit() + unit()][random.below(3)] as string;
}

interface Expected {
  readonly text: string;
  readonly stop?: string;
  /** How many bytes decide it, where a stop string does. */
  readonly bytes: number;
}

/** The text before its first stop string, found by looking at every beginning of it. */
function expected({ text, stop }: Sample): Expected {
  for (let end = 1; end <= text.length; end++) {
    const found = stop.filter((each) => text.slice(0, end).endsWith(each)).sort((a, b) => b.length - a.length)[0];
    if (found !== undefined)
      return { text: text.slice(0, end - found.length), stop: found, bytes: lengthOf(text.slice(0, end)) };
  }
  return { text, bytes: Number.POSITIVE_INFINITY };
}

/** Bytes in UTF-8. */
function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What may be known after the first `bytes` bytes: whole characters, without an end that begins a stop string. */
function knownAfter({ text, stop }: Sample, bytes: number): string {
  let whole = '';
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (length > bytes) break;
    whole += character;
  }
  const held = [...new Array(whole.length).keys()].find((at) =>
    stop.some((each) => each !== whole.slice(at) && each.startsWith(whole.slice(at))),
  );
  return held === undefined ? whole : whole.slice(0, held);
}

function cutAt(text: string, cuts: readonly number[]): number[][] {
  const bytes = [...new TextEncoder().encode(text)];
  const ends = [...new Set(cuts)].filter((cut) => cut > 0 && cut < bytes.length).sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.slice(ends[i - 1] ?? 0, end));
}

const LONE = /\p{Surrogate}/u;

/** What is wrong with the pieces of a text: each brings as much as may be known by then, and no more. */
function faults(sample: Sample, tokens: readonly number[][], pieces: readonly string[]): string[] {
  const whole = expected(sample);
  const wrong: string[] = [];
  let given = '';
  let bytes = 0;
  for (const [i, piece] of pieces.entries()) {
    given += piece;
    bytes += tokens[i]?.length ?? 0;
    const decided = i === pieces.length - 1 || bytes >= whole.bytes;
    const right = decided ? whole.text : knownAfter(sample, bytes);
    if (given !== right || LONE.test(piece)) wrong.push(`piece ${i}: ${given} instead of ${right}, of ${sample.text}`);
  }
  return wrong;
}

const random = new Pcg32(500, 5);
const SAMPLES = Array.from({ length: 500 }, () => randomSample(random));

describe('the samples', () => {
  it('stop and do not stop, and hold all that is hard', () => {
    const stopped = SAMPLES.filter((sample) => expected(sample).stop !== undefined).length;
    expect(stopped).toBeGreaterThan(100);
    expect(stopped).toBeLessThan(400);
    for (const unit of UNITS) expect(SAMPLES.some(({ text }) => text.includes(unit))).toBe(true);
  });
});

describe('streamed text', () => {
  it.each([
    { how: 'random bytes', cutsOf: (length: number) => Array.from({ length: 5 }, () => random.below(length)) },
    { how: 'every byte', cutsOf: (length: number) => [...new Array(length).keys()] },
  ])('comes in whole characters, as soon as it is final and not before, cut at $how', async ({ cutsOf }) => {
    for (const sample of SAMPLES) {
      const tokens = cutAt(sample.text, cutsOf(lengthOf(sample.text)));
      const { model, tokenizer } = saying(tokens);
      const generation = generate(model, tokenizer, [], { stop: sample.stop, max_tokens: 500 });
      const pieces: string[] = [];
      for await (const { text } of generation) pieces.push(text);
      expect(faults(sample, tokens, pieces)).toEqual([]);
      const result = await generation;
      const { stop } = expected(sample);
      expect(result.text).toBe(expected(sample).text);
      expect(result.stopped_by).toBe(stop ?? tokens.length);
    }
  });

  it('does so cut in two at each single byte, where it is short', () => {
    const short = SAMPLES.filter(({ text }) => lengthOf(text) <= 60);
    expect(short.length).toBeGreaterThan(200);
    for (const sample of short) {
      for (let cut = 0; cut < lengthOf(sample.text); cut++) {
        const tokens = cutAt(sample.text, [cut]);
        const wrong = faults(sample, tokens, piecesOf(sample, tokens));
        if (wrong.length > 0) expect(wrong).toEqual([]);
      }
    }
  });

  it('does so when it is saved and restored after each byte', () => {
    const moved =
      ({ stop }: Sample) =>
      (stream: TextStream) =>
        new TextStream(stop, JSON.parse(JSON.stringify(stream.held)));
    for (const sample of SAMPLES) {
      const tokens = cutAt(sample.text, [...new Array(lengthOf(sample.text)).keys()]);
      expect(faults(sample, tokens, piecesOf(sample, tokens, moved(sample)))).toEqual([]);
    }
  });
});

/** The pieces of a stream alone; `between` is given the stream after each token. */
function piecesOf({ stop }: Sample, tokens: readonly number[][], between = (stream: TextStream) => stream): string[] {
  let stream = new TextStream(stop);
  const pieces: string[] = [];
  for (const token of tokens) {
    const scan = stream.push(Uint8Array.from(token));
    pieces.push(scan.text);
    if (scan.stop !== undefined) return pieces;
    stream = between(stream);
  }
  return [...pieces, stream.end().text];
}
