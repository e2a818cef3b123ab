/**
 * The processor of the examples obeys what every processor must, though it comes from outside.
 */
import { it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { processorLaws } from '../../src/laws/index.js';
import type { Pcg32 } from '../../src/random/index.js';

const FILE = new URL('../../examples/top-a.mjs', import.meta.url).href;

const { TopA } = (await import(FILE)) as { TopA: new (options: { a: number }) => LogitsProcessor };

/** Off and the ends of the domain among the options. */
function optionsOf(random: Pcg32): { a: number } {
  return { a: [0, 1, 0.2, random.uniform()][random.below(4)] as number };
}

it('TopA of the examples obeys the laws', () => {
  processorLaws((random) => new TopA(optionsOf(random)));
});
