/**
 * A flag for every parameter, from the one schema: `--top-p`, and under its wire name `--top_p`.
 */
import { type Command, Option } from 'commander';
import { domainOf } from '../../processors/domain-of.js';
import { type GenerationParamsInput, generationParamsSchema } from '../decode/generation-params.js';
import { InvalidValueError } from '../errors.js';
import { POLICY_PARAMS, type PolicyField } from '../params/policy-params.js';
import { samplingParamsSchema } from '../params/sampling-params.js';
import { PARSERS, parseNumber } from './param-parsers.js';

/** A parameter of a generation, by its wire name. */
export type ParamField = keyof typeof generationParamsSchema.shape;

/** The parameters of sampling. */
const FIELDS = Object.keys(samplingParamsSchema.shape) as ParamField[];

/** Those of a whole generation. */
export const GENERATION_FIELDS = Object.keys(generationParamsSchema.shape) as ParamField[];

/** What each parameter that is no policy's does, in the words of `--help`. */
const MEANING: Readonly<Record<Exclude<ParamField, PolicyField>, string>> = {
  seed: 'repeats a run; chosen and reported when not given',
  max_tokens: 'the most tokens to generate',
  stop: 'ends the text before this string; may be given several times',
  logprobs: 'reports the n most likely ids with each token',
  n: 'how many texts, each with its own seed: seed, seed + 1, …',
  echo: 'with --json, the text of the prompt first; plain text always begins with it',
  logit_bias: 'added to the logits of ids, as in {"5": -100}',
  min_tokens: 'no end id before so many tokens; 0 is off',
  stop_waits: 'a stop string within the first min-tokens tokens is text',
  stop_token_ids: 'ids that end the text beside the end ids of the model, separated by commas',
};

/** What each of the policy does, from its step. */
const POLICY: ReadonlyMap<ParamField, string> = new Map(
  POLICY_PARAMS.map(({ name, help, off }) => [name, `${help}; ${off} is off`]),
);

/** Gives `command` the flags of `fields`. `defaults` differ from the schema's where the command says so. */
export function addParamFlags(
  command: Command,
  fields: readonly ParamField[] = FIELDS,
  defaults: GenerationParamsInput = {},
): void {
  for (const field of fields) {
    const kebab = field.replaceAll('_', '-');
    const said = [meaning(field), domain(field)].filter((text) => text !== '').join(': ');
    const help = `${said}${shownDefault(field, defaults)}`;
    command.addOption(paramOption(field, kebab, help));
    if (kebab !== field) command.addOption(paramOption(field, field, help).hideHelp());
  }
}

/** The parameters among the options that commander parsed, over `defaults`; each under its wire name. */
export function paramsOf(
  options: Readonly<Record<string, unknown>>,
  defaults: GenerationParamsInput = {},
): GenerationParamsInput {
  const params: Record<string, unknown> = { ...defaults };
  for (const field of GENERATION_FIELDS) {
    const spellings = [...new Set([field, camel(field)])].filter((name) => options[name] !== undefined);
    if (spellings.length > 1) throw new InvalidValueError('lockstep', field, 'given once', 'both spellings');
    const [name] = spellings;
    if (name !== undefined) params[field] = options[name];
  }
  return params as GenerationParamsInput;
}

function paramOption(field: ParamField, flag: string, help: string): Option {
  if (field === 'stop') {
    const collect = (text: string, earlier: string[] | undefined) => [...(earlier ?? []), text];
    return new Option(`--${flag} <text>`, help).argParser<string[]>(collect);
  }
  if (field === 'echo' || field === 'stop_waits') return new Option(`--${flag}`, help);
  const value = { logit_bias: 'json', stop_token_ids: 'ids' }[field as string] ?? 'number';
  return new Option(`--${flag} <${value}>`, help).argParser((text) => parseParam(field, text));
}

/** The value of the parameter `name` that `text` writes; the schema says whether it will do. */
export function parseParam(name: string, text: string): unknown {
  return (PARSERS[name] ?? parseNumber)(text);
}

function meaning(field: ParamField): string {
  return POLICY.get(field) ?? MEANING[field as keyof typeof MEANING];
}

/** Domains as a shell writes their values, where the schema says them in the words of a program; '' where the flag says all. */
const IN_SHELL: Readonly<Partial<Record<ParamField, string>>> = {
  seed: 'an integer in [0, 2^64)',
  max_tokens: 'an integer >= 1, or 0 with --echo',
  stop: 'not empty',
  echo: '',
  stop_waits: '',
  logit_bias: 'a JSON object of finite numbers by id',
  stop_token_ids: 'integers >= 0',
};

function domain(field: ParamField): string {
  return IN_SHELL[field] ?? domainOf(generationParamsSchema.shape[field]);
}

function shownDefault(field: ParamField, defaults: GenerationParamsInput): string {
  const value = defaults[field] ?? generationParamsSchema.parse({})[field];
  return ['number', 'bigint'].includes(typeof value) ? ` (default ${value})` : '';
}

/** `topP` of `top_p`, as commander names what a flag with hyphens gives. */
export function camel(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
