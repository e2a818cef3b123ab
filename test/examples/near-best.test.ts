/**
 * The processor of the examples obeys what every processor must, though it comes from outside.
 */
import { it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { processorLaws } from '../../src/laws/index.js';
import type { Pcg32 } from '../../src/random/index.js';

const FILE = new URL('../../examples/near-best.mjs', import.meta.url).href;

const { NearBest } = (await import(FILE)) as { NearBest: new (options: { gap: number }) => LogitsProcessor };

/** The end of the domain among the options. */
function optionsOf(random: Pcg32): { gap: number } {
  return { gap: [0, 1e308, 1, 5 * random.uniform()][random.below(4)] as number };
}

it('NearBest of the examples obeys the laws', () => {
  processorLaws((random) => new NearBest(optionsOf(random)));
});
