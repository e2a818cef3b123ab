/**
 * The table of SynthID: 2^16 random bits, those that torch's generator on a CPU gives for the seed 0. It is the lowest bit of
 * each output of a Mersenne twister, so that it is made here and not stored.
 * Source: Matsumoto and Nishimura 1998, MT19937.
 */
const SIZE = 65536;
const SEED = 0;
/** Words of the twister's state, and the distance of the word that is mixed in. */
const WORDS = 624;
const DISTANCE = 397;

let made: Uint8Array | undefined;

/** u8[2^16] of 0 and 1, the same array each time. */
export function synthTable(): Uint8Array {
  made ??= makeTable();
  return made;
}

function makeTable(): Uint8Array {
  const state = firstState();
  const table = new Uint8Array(SIZE);
  for (let i = 0; i < SIZE; i++) {
    if (i % WORDS === 0) twist(state);
    table[i] = temper(state[i % WORDS] as number) & 1;
  }
  return table;
}

function firstState(): Uint32Array {
  const state = new Uint32Array(WORDS);
  state[0] = SEED;
  for (let i = 1; i < WORDS; i++) {
    const before = state[i - 1] as number;
    state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
  }
  return state;
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < WORDS; i++) {
    const word = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % WORDS] as number) & 0x7fffffff);
    const mixed = (state[(i + DISTANCE) % WORDS] as number) ^ (word >>> 1);
    state[i] = (word & 1) === 0 ? mixed : mixed ^ 0x9908b0df;
  }
}

function temper(word: number): number {
  let y = word ^ (word >>> 11);
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return y ^ (y >>> 18);
}
