/**
 * JSON Schemas of processors and of chains as data, for editors and forms.
 */
import { domainOf } from '../../processors/domain-of.js';
import { PROCESSORS } from '../../processors/list.js';
import { type ProcessorClass, processorInfo } from '../../processors/processor.js';
import { TAP } from '../../processors/processor-name.js';
import type * as z from '../../processors/zod.js';
import { MOST_STEPS } from '../chain/chain-data.js';
import { InvalidValueError } from '../errors.js';
import { readArray } from '../inputs.js';
import { domainSchema } from './domain-schema.js';
import { DRAFT, type JsonSchema } from './json-schema.js';

/**
 * The version of chains as data, of their canonical form and of their fingerprint. It goes up when the same chain is written
 * another way, so that its fingerprint is another one.
 */
export const CHAIN_VERSION = 1;

/** A step that is not in the list: its options are those of `createGrammars` and not said here. */
const GRAMMAR: JsonSchema = { type: 'object', properties: { use: { const: 'grammar' } }, required: ['use'] };
const MARK: JsonSchema = {
  type: 'object',
  description: 'where logprobs are defined',
  properties: { use: { const: TAP } },
  required: ['use'],
  additionalProperties: false,
};

/**
 * The schema of an entry of a chain as data for the processor `target`: its name as `use`, and its options with their domains and
 * defaults. What it accepts can still be refused where values do not go together, or do not fit a vocabulary.
 * Throws InvalidValueError for a class that is no processor.
 */
export function processorJsonSchema(target: ProcessorClass): JsonSchema {
  return { $schema: DRAFT, ...entrySchema(target) };
}

/**
 * The schema of a chain as data of the processors `targets`, by default those that Lockstep ships; also of the step `grammar` and of
 * the mark `logprobs`, which may stand once.
 * Throws InvalidValueError for a class that is no processor.
 */
export function chainJsonSchema(targets: readonly ProcessorClass[] = PROCESSORS): JsonSchema {
  const entries = readArray('chainJsonSchema', 'targets', 'an array of processor classes', targets, namedEntry);
  const $defs: Record<string, JsonSchema> = { ...Object.fromEntries(entries), grammar: GRAMMAR, [TAP]: MARK };
  return {
    $schema: DRAFT,
    $id: `urn:lockstep:chain:${CHAIN_VERSION}`,
    title: `A chain of Lockstep, version ${CHAIN_VERSION}`,
    type: 'array',
    maxItems: MOST_STEPS,
    items: { anyOf: Object.keys($defs).map((name) => ({ $ref: `#/$defs/${name}` })) },
    contains: { $ref: `#/$defs/${TAP}` },
    minContains: 0,
    maxContains: 1,
    $defs,
  };
}

/** The name and the schema of a class of `targets`, with a refusal that says where it stands. */
function namedEntry(given: unknown, index: number): readonly [name: string, schema: JsonSchema] {
  const target = given as ProcessorClass;
  try {
    return [processorInfo(target).name, entrySchema(target)];
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    throw new InvalidValueError('chainJsonSchema', `targets[${index}]`, error.domain, given);
  }
}

function entrySchema(target: ProcessorClass): JsonSchema {
  const { name, options } = processorInfo(target);
  const fields = Object.entries(options.shape);
  return {
    title: name,
    type: 'object',
    properties: {
      use: { const: name },
      ...Object.fromEntries(fields.map(([key, schema]) => [key, optionSchema(schema)])),
    },
    required: ['use', ...fields.filter(([, schema]) => isRequired(schema)).map(([key]) => key)],
    additionalProperties: false,
  };
}

interface Definition {
  readonly type: string;
  readonly defaultValue?: unknown;
}

function optionSchema(schema: z.core.$ZodType): JsonSchema {
  const domain = domainOf(schema);
  const { defaultValue } = schema._zod.def as Definition;
  return {
    ...(domain !== '' && { description: domain }),
    ...domainSchema(domain),
    ...(defaultValue !== undefined && { default: defaultValue }),
  };
}

function isRequired(schema: z.core.$ZodType): boolean {
  return !['default', 'optional'].includes((schema._zod.def as Definition).type);
}
