/**
 * `lockstep generate [prompt]`: streams text from the embedded model.
 */
import type { Command } from 'commander';
import { generate } from '../decode/generate.js';
import { type GenerationParamsInput, validateGeneration } from '../decode/generation-params.js';
import { nthSeed } from '../decode/nth-seed.js';
import { loadEmbedded } from '../model/load-embedded.js';
import type { SamplingParamsInput } from '../params/sampling-params.js';
import { freshSeed } from '../random/seed.js';
import { readChain } from './chain-input.js';
import { addParamFlags, GENERATION_FIELDS, paramsOf } from './param-flags.js';
import { writeJson, writeText } from './write-text.js';

/** The embedded model is small: a little cooler and without the tail it reads better. */
export const MODEL_DEFAULTS: SamplingParamsInput = Object.freeze({ temperature: 0.8, top_p: 0.95 });

interface GenerateFlags {
  readonly json?: true;
  readonly chain?: string;
  readonly slide?: true;
}

export function addGenerateCommand(program: Command): void {
  const command = program
    .command('generate', { isDefault: true })
    .description('stream text from the embedded model')
    .argument('[prompt]', 'text to go on from; without it the model begins by itself', '')
    .option('--json', 'a JSON line for each token')
    .option('--chain <json>', 'a chain as data, or a file with one, instead of the spec chain')
    .option('--slide', 'go on when the context is full, over the last ids');
  addParamFlags(command, GENERATION_FIELDS, MODEL_DEFAULTS);
  command.action(runGenerate);
}

async function runGenerate(prompt: string, flags: GenerateFlags & Record<string, unknown>): Promise<void> {
  const chain = flags.chain === undefined ? undefined : await readChain(flags.chain);
  const { n, ...params } = requestOf(flags, chain === undefined ? MODEL_DEFAULTS : {});
  const { model, tokenizer } = await loadEmbedded();
  const options = { ...(chain && { chain }), whenFull: flags.slide ? 'slide' : 'stop' } as const;
  for (let choice = 0; choice < n; choice++) {
    const generation = generate(model, tokenizer, prompt, { ...params, seed: nthSeed(params.seed, choice) }, options);
    if (flags.json) await writeJson(generation, choice, process.stdout);
    else await writeText(generation, process.stdout, process.stderr);
  }
}

/** The checked parameters, with a seed; plain text always begins with the prompt. */
function requestOf(flags: GenerateFlags & Record<string, unknown>, defaults: GenerationParamsInput) {
  const params = validateGeneration(paramsOf(flags, defaults));
  return { ...params, seed: params.seed ?? freshSeed(), echo: params.echo || flags.json !== true };
}
