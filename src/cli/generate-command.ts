/**
 * `lockstep generate [prompt]`: streams text from the embedded model.
 */
import type { Command } from 'commander';
import { type GenerationParamsInput, validateGeneration } from '../decode/generation-params.js';
import { generate } from '../decode/run/generate.js';
import { nthSeed } from '../decode/run/nth-seed.js';
import { loadEmbedded } from '../embedded/load-embedded.js';
import type { SamplingParamsInput } from '../params/sampling-params.js';
import type { Profile } from '../profiles/profile.js';
import { freshSeed } from '../random/seed.js';
import { chainGrammars } from './chain-grammars.js';
import { INTERRUPTED } from './failure.js';
import { addModuleFlag, type ModuleFlags, ownContainer } from './own-module.js';
import { GENERATION_FIELDS, paramsOf } from './param-flags.js';
import { addPolicyFlags, chainOf, requestFlagsOf } from './profile-flags.js';
import { readPrompt } from './prompt-input.js';
import { writeJson, writeText } from './write-text.js';

/** The embedded model is small: a little cooler and without the tail it reads better. */
export const MODEL_DEFAULTS: SamplingParamsInput = Object.freeze({ temperature: 0.8, top_p: 0.95 });

interface GenerateFlags extends Record<string, unknown>, ModuleFlags {
  readonly json?: true;
  readonly chain?: string;
  readonly slide?: true;
}

const PROMPT_HELP =
  'text to go on from; - is standard input, as is none where something is piped there (without the line break at its ' +
  'end); otherwise the model begins by itself';

/** @param isNamed false for the passage without a command, which takes no prompt and reads none */
export function addGenerateCommand(program: Command, isNamed: boolean, profile: Profile | undefined): void {
  const command = program
    .command('generate')
    .description('stream text from the embedded model')
    .argument('[prompt]', PROMPT_HELP)
    .option('--json', 'a JSON line for each token')
    .option('--chain <json>', 'a chain as data, or a file with one, instead of the spec chain; it may have grammars')
    .option('--slide', 'go on when the context is full, over the last ids');
  addModuleFlag(command);
  addPolicyFlags(command, profile, GENERATION_FIELDS, MODEL_DEFAULTS);
  command.action((argument: string | undefined, flags: GenerateFlags) =>
    runGenerate(flags, profile, async () => (isNamed ? readPrompt(argument) : '')),
  );
}

async function runGenerate(
  flags: GenerateFlags,
  profile: Profile | undefined,
  promptOf: () => Promise<string>,
): Promise<void> {
  const chain = await chainOf(flags, profile);
  const { n, ...params } = requestOf(requestFlagsOf(flags, profile), chain === undefined ? MODEL_DEFAULTS : {});
  const container = await ownContainer(flags);
  const prompt = await promptOf();
  const embedded = await loadEmbedded();
  const { model, tokenizer } = embedded;
  const grammars = chain === undefined ? undefined : await chainGrammars(chain, container, embedded);
  const signal = interruption();
  const options = {
    ...(chain !== undefined && { chain }),
    ...(container && { container }),
    ...(grammars && { grammars }),
    whenFull: flags.slide ? 'slide' : 'stop',
    signal,
  } as const;
  const output = { out: process.stdout, notes: process.stderr, signal };
  for (let choice = 0; choice < n && !signal.aborted; choice++) {
    const generation = generate(model, tokenizer, prompt, { ...params, seed: nthSeed(params.seed, choice) }, options);
    if (flags.json) await writeJson(generation, choice, output);
    else await writeText(generation, output);
  }
}

/** Aborted by the first Ctrl-C, so that the text has an end; a second one ends the program as it would without this. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    process.exitCode = INTERRUPTED;
    controller.abort();
  });
  return controller.signal;
}

/** The checked parameters, with a seed; plain text always begins with the prompt. */
function requestOf(flags: GenerateFlags, defaults: GenerationParamsInput) {
  const params = validateGeneration(paramsOf(flags, defaults));
  return { ...params, seed: params.seed ?? freshSeed(), echo: params.echo || flags.json !== true };
}
