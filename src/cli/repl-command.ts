/**
 * `lockstep repl`: a prompt loop over the embedded model; parameters are changed between lines.
 */
import type { Command } from 'commander';
import { type GenerateOptions, generate } from '../decode/run/generate.js';
import { type Embedded, loadEmbedded } from '../embedded/load-embedded.js';
import { type SamplingParamsInput, samplingParamsSchema, validate } from '../params/sampling-params.js';
import { isRefusal } from './failure.js';
import { MODEL_DEFAULTS } from './generate-command.js';
import { addModuleFlag, type ModuleFlags, ownContainer } from './own-module.js';
import { addParamFlags, paramsOf, parseParam } from './param-flags.js';
import { PromptLines } from './prompt-lines.js';
import { writeText } from './write-text.js';

const HELP = `A line is a prompt. Lines that begin with / change things:
  /<parameter> <value>   sets one, as in /top_p 0.9; without a value, takes it back to its default
  /params                shows the parameters
  /help                  shows this
  /quit                  leaves, as Ctrl-D does
Ctrl-C ends a text that is being written.
`;

interface ReplFlags extends Record<string, unknown>, ModuleFlags {
  readonly slide?: true;
}

export function addReplCommand(program: Command): void {
  const command = program
    .command('repl')
    .description('a prompt loop over the embedded model; Ctrl-C ends a text, Ctrl-D leaves')
    .option('--slide', 'go on when the context is full, over the last ids');
  addModuleFlag(command);
  addParamFlags(command, undefined, MODEL_DEFAULTS);
  command.action(runRepl);
}

async function runRepl(flags: ReplFlags): Promise<void> {
  let params = paramsOf(flags, MODEL_DEFAULTS);
  validate(params);
  const container = await ownContainer(flags);
  const embedded = await loadEmbedded();
  const lines = new PromptLines();
  if (lines.isTyped) process.stderr.write(HELP);
  const whenFull = flags.slide ? 'slide' : 'stop';
  const own = { whenFull, ...(container && { container }) } as const;
  for await (const line of lines) {
    if (/^\/quit\s*$/.test(line)) break;
    try {
      if (line.startsWith('/')) params = command(line, params);
      else await lines.interruptible((signal) => answer(embedded, line, params, { ...own, signal }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
  lines.close();
}

function answer(
  { model, tokenizer }: Embedded,
  prompt: string,
  params: SamplingParamsInput,
  options: GenerateOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const output = { out: process.stdout, notes: process.stderr, signal: options.signal };
  return writeText(generate(model, tokenizer, prompt, params, options), output);
}

/** The parameters after a `/` line. */
function command(line: string, params: SamplingParamsInput): SamplingParamsInput {
  const [, name = '', text = ''] = /^\/(\S*)\s*(.*)$/.exec(line) ?? [];
  if (name === 'help') process.stdout.write(HELP);
  else if (name === 'params') process.stdout.write(`${showParams(params)}\n`);
  else return setParam(params, name.replaceAll('-', '_'), text);
  return params;
}

function setParam(params: SamplingParamsInput, name: string, text: string): SamplingParamsInput {
  const { [name as keyof SamplingParamsInput]: _, ...others } = params;
  const next =
    text === '' && name in samplingParamsSchema.shape ? others : { ...others, [name]: parseParam(name, text) };
  validate(next);
  return next;
}

function showParams(params: SamplingParamsInput): string {
  return JSON.stringify(validate(params), (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
