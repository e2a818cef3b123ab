/**
 * Whether a mask leaves a choice.
 */
import { isArray, isInt32Array, isUint32Array } from '../../../src/kinds.js';
import type { TokenMask } from '../../constraints/constraint.js';

/**
 * The one id in [0, V) that `mask` allows; undefined where it allows none or several, and where it is a list of what may not
 * come, or does not fit V, which is refused where the mask is applied.
 */
export function onlyAllowed(mask: TokenMask, vocabSize: number): number | undefined {
  if (isInt32Array(mask) || isUint32Array(mask)) return onlyBit(mask, vocabSize);
  if (isArray(mask)) return mask.length === vocabSize ? onlyTrue(mask) : undefined;
  const { allow } = mask as { allow?: Iterable<number> };
  if (!(Array.isArray(allow) || allow instanceof Set)) return undefined; // what gives its ids once is not asked here
  return onlyOf(allow, vocabSize);
}

function onlyBit(words: Int32Array | Uint32Array, vocabSize: number): number | undefined {
  if (words.length !== Math.ceil(vocabSize / 32)) return undefined;
  let only: number | undefined;
  for (let i = 0; i < words.length; i++) {
    const beyond = i === words.length - 1 ? -vocabSize & 31 : 0; // these bits have no meaning
    const bits = ((words[i] as number) << beyond) >>> beyond;
    if (bits === 0) continue;
    if (only !== undefined || (bits & (bits - 1)) !== 0) return undefined;
    only = 32 * i + 31 - Math.clz32(bits);
  }
  return only;
}

function onlyTrue(allowed: readonly boolean[]): number | undefined {
  const first = allowed.indexOf(true);
  return first >= 0 && first === allowed.lastIndexOf(true) ? first : undefined;
}

function onlyOf(ids: Iterable<number>, vocabSize: number): number | undefined {
  let only: number | undefined;
  for (const id of ids) {
    if (only !== undefined && id !== only) return undefined;
    only = id;
  }
  return Number.isInteger(only) && (only as number) >= 0 && (only as number) < vocabSize ? only : undefined;
}
