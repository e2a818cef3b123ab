/**
 * A flag for every sampling parameter, from the one schema: `--top-p`, and under its wire name `--top_p`.
 */
import { type Command, Option } from 'commander';
import { InvalidValueError } from '../errors.js';
import { type SamplingParamsInput, samplingParamsSchema } from '../params/sampling-params.js';

type Field = keyof typeof samplingParamsSchema.shape;

const FIELDS = Object.keys(samplingParamsSchema.shape) as Field[];

/** What each parameter does, in the words of `--help`. */
const MEANING: Readonly<Record<Field, string>> = {
  temperature: 'divides the logits; 0 is greedy',
  top_k: 'keeps the k most likely; 0 is off',
  top_p: 'keeps the most likely that together reach p; 1 is off',
  min_p: 'keeps those at least m times as likely as the best; 0 is off',
  repetition_penalty: 'divides or multiplies the logits of ids seen before; 1 is off',
  presence_penalty: 'taken from the logits of ids generated before; 0 is off',
  frequency_penalty: 'taken once for each time that an id was generated; 0 is off',
  seed: 'repeats a run; chosen and reported when not given',
  max_tokens: 'the most tokens to generate',
  stop: 'ends the text before this string; may be given several times',
  logprobs: 'reports the n most likely ids with each token',
};

/** Gives `command` the flags of `fields`. `defaults` differ from the schema's where the command says so. */
export function addParamFlags(
  command: Command,
  fields: readonly Field[] = FIELDS,
  defaults: SamplingParamsInput = {},
): void {
  for (const field of fields) {
    const kebab = field.replaceAll('_', '-');
    const help = `${MEANING[field]}: ${domain(field)}${shownDefault(field, defaults)}`;
    command.addOption(paramOption(field, kebab, help));
    if (kebab !== field) command.addOption(paramOption(field, field, help).hideHelp());
  }
}

/** The parameters among the options that commander parsed, over `defaults`; each under its wire name. */
export function paramsOf(
  options: Readonly<Record<string, unknown>>,
  defaults: SamplingParamsInput = {},
): SamplingParamsInput {
  const params: Record<string, unknown> = { ...defaults };
  for (const field of FIELDS) {
    const spellings = [...new Set([field, camel(field)])].filter((name) => options[name] !== undefined);
    if (spellings.length > 1) throw new InvalidValueError('lockstep', field, 'given once', 'both spellings');
    const [name] = spellings;
    if (name !== undefined) params[field] = options[name];
  }
  return params as SamplingParamsInput;
}

function paramOption(field: Field, flag: string, help: string): Option {
  if (field === 'stop') {
    const collect = (text: string, earlier: string[] | undefined) => [...(earlier ?? []), text];
    return new Option(`--${flag} <text>`, help).argParser<string[]>(collect);
  }
  return new Option(`--${flag} <number>`, help).argParser((text) => parseParam(field, text));
}

/** The number that `text` writes, or the text itself, which the schema then refuses and shows. */
export function parseNumber(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

/** The value of the parameter `name` that `text` writes; the schema says whether it will do. */
export function parseParam(name: string, text: string): unknown {
  if (name === 'stop') return [text];
  return name === 'seed' ? parseSeed(text) : parseNumber(text);
}

function parseSeed(text: string): number | bigint | string {
  const value = parseNumber(text);
  return typeof value === 'number' && /^\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

function domain(field: Field): string {
  const schema = samplingParamsSchema.shape[field];
  const inner = 'unwrap' in schema ? schema.unwrap() : schema;
  return (inner as { description?: string }).description ?? '';
}

function shownDefault(field: Field, defaults: SamplingParamsInput): string {
  const value = defaults[field] ?? samplingParamsSchema.parse({})[field];
  return value === undefined || Array.isArray(value) ? '' : ` (default ${value})`;
}

function camel(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
