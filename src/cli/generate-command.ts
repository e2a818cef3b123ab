/**
 * `lockstep generate [prompt]`: streams text from the embedded model.
 */
import type { Command } from 'commander';
import { generate } from '../decode/generate.js';
import { InvalidValueError } from '../errors.js';
import { loadEmbedded } from '../model/load-embedded.js';
import { type SamplingParamsInput, validate } from '../params/sampling-params.js';
import { freshSeed, MASK_64, type Seed } from '../random/seed.js';
import { readChain } from './chain-input.js';
import { addParamFlags, paramsOf, parseNumber } from './param-flags.js';
import { writeJson, writeText } from './write-text.js';

/** The embedded model is small: a little cooler and without the tail it reads better. */
export const MODEL_DEFAULTS: SamplingParamsInput = Object.freeze({ temperature: 0.8, top_p: 0.95 });

interface GenerateFlags {
  readonly json?: true;
  readonly n: unknown;
  readonly chain?: string;
  readonly slide?: true;
}

export function addGenerateCommand(program: Command): void {
  const command = program
    .command('generate', { isDefault: true })
    .description('stream text from the embedded model')
    .argument('[prompt]', 'text to go on from; without it the model begins by itself', '')
    .option('--json', 'a JSON line for each token')
    .option('--n <number>', 'how many texts, each with its own seed: seed, seed + 1, …', parseNumber, 1)
    .option('--chain <json>', 'a chain as data, or a file with one, instead of the spec chain')
    .option('--slide', 'go on when the context is full, over the last ids');
  addParamFlags(command, undefined, MODEL_DEFAULTS);
  command.action(runGenerate);
}

async function runGenerate(prompt: string, flags: GenerateFlags & Record<string, unknown>): Promise<void> {
  const n = checkN(flags.n);
  const chain = flags.chain === undefined ? undefined : await readChain(flags.chain);
  const params = paramsOf(flags, chain === undefined ? MODEL_DEFAULTS : {});
  const seed = validate(params).seed ?? freshSeed();
  const { model, tokenizer } = await loadEmbedded();
  for (let choice = 0; choice < n; choice++) {
    const options = { ...(chain && { chain }), whenFull: flags.slide ? 'slide' : 'stop' } as const;
    const generation = generate(model, tokenizer, prompt, { ...params, seed: nthSeed(seed, choice) }, options);
    if (flags.json) await writeJson(generation, choice, process.stdout);
    else {
      process.stdout.write(prompt);
      await writeText(generation, process.stdout, process.stderr);
    }
  }
}

function checkN(n: unknown): number {
  if (Number.isSafeInteger(n) && (n as number) >= 1) return n as number;
  throw new InvalidValueError('lockstep', 'n', 'an integer >= 1', n);
}

/** seed + choice modulo 2^64: the first choice has the seed itself. */
function nthSeed(seed: Seed, choice: number): Seed {
  const value = (BigInt(seed) + BigInt(choice)) & MASK_64;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
