/**
 * `lockstep repl`: a prompt loop over the embedded model; parameters are changed between lines.
 */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { generate } from '../decode/generate.js';
import { InvalidValueError } from '../errors.js';
import { loadEmbedded } from '../model/load-embedded.js';
import { type SamplingParamsInput, samplingParamsSchema, validate } from '../params/sampling-params.js';
import { MODEL_DEFAULTS } from './generate-command.js';
import { addParamFlags, paramsOf, parseParam } from './param-flags.js';
import { writeText } from './write-text.js';

const HELP = `A line is a prompt. Lines that begin with / change things:
  /<parameter> <value>   sets one, as in /top_p 0.9; without a value, takes it back to its default
  /params                shows the parameters
  /help                  shows this
  /quit                  ends
`;

export function addReplCommand(program: Command): void {
  const command = program.command('repl').description('a prompt loop over the embedded model');
  addParamFlags(command, undefined, MODEL_DEFAULTS);
  command.action(runRepl);
}

async function runRepl(flags: Record<string, unknown>): Promise<void> {
  let params = paramsOf(flags, MODEL_DEFAULTS);
  validate(params);
  const { model, tokenizer } = await loadEmbedded();
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: '> ',
    terminal: process.stdin.isTTY,
  });
  process.stderr.write(HELP);
  lines.prompt();
  for await (const line of lines) {
    if (/^\/quit\s*$/.test(line)) break;
    try {
      if (line.startsWith('/')) params = command(line, params);
      else await writeText(generate(model, tokenizer, line, params), process.stdout, process.stderr);
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
    lines.prompt();
  }
  lines.close();
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
