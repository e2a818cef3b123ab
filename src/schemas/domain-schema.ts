/**
 * The domains of options, which are words in a fixed form ("a number in [0, 1]"), as JSON Schemas: the words are what refusals
 * say, so that an editor and a refusal tell the same.
 */
import type { JsonSchema } from './json-schema.js';

const NUMBER =
  /^(a finite number|a number|an integer)(?: (?<sign>>=?) (?<bound>\S+)| in (?<open>[[(])(?<low>\S+), (?<high>\S+)(?<close>[\])]))?$/;

const ID: JsonSchema = { type: 'integer', minimum: 0 };
const IDS: JsonSchema = { type: 'array', items: ID };
const SOME_IDS: JsonSchema = { ...IDS, minItems: 1 };
const TEXT: JsonSchema = { type: 'string', minLength: 1 };
const FINITE: JsonSchema = { type: 'number' };

/** The domains that are no numbers. */
const OTHERS: ReadonlyMap<string, JsonSchema> = new Map([
  ['true or false', { type: 'boolean' }],
  ['an array of ids', IDS],
  ['a non-empty array of ids', SOME_IDS],
  ['an array of texts and ids', { type: 'array', items: { anyOf: [TEXT, ID] } }],
  [
    'a non-empty array of words, each a text or an array of ids',
    { type: 'array', minItems: 1, items: { anyOf: [TEXT, SOME_IDS] } },
  ],
  ['a non-empty array of keys', { type: 'array', minItems: 1, items: numberSchema('an integer in [0, 2^53)') }],
  [
    'an object or a Map from ids to finite numbers',
    { type: 'object', patternProperties: { '^(?:0|[1-9][0-9]{0,15})$': FINITE }, additionalProperties: false },
  ],
  [
    'an object from texts to finite numbers',
    { type: 'object', propertyNames: { minLength: 1 }, additionalProperties: FINITE },
  ],
  [
    'an array of sequences, each an object of `ids` and `bias`',
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { ids: SOME_IDS, bias: FINITE },
        required: ['ids', 'bias'],
        additionalProperties: false,
      },
    },
  ],
]);

/** The schema of what `domain` says; undefined for words that have none. */
export function domainSchema(domain: string): JsonSchema | undefined {
  return OTHERS.get(domain) ?? numberSchema(domain);
}

function numberSchema(domain: string): JsonSchema | undefined {
  const found = NUMBER.exec(domain);
  if (found === null) return undefined;
  const { sign, bound, open, low, high, close } = found.groups as Readonly<Record<string, string | undefined>>;
  return {
    type: domain.startsWith('an integer') ? 'integer' : 'number',
    ...(bound !== undefined && { [sign === '>' ? 'exclusiveMinimum' : 'minimum']: numberOf(bound) }),
    ...(low !== undefined && { [open === '(' ? 'exclusiveMinimum' : 'minimum']: numberOf(low) }),
    ...(high !== undefined && { [close === ')' ? 'exclusiveMaximum' : 'maximum']: numberOf(high) }),
  };
}

function numberOf(text: string): number {
  return text === '2^53' ? 9007199254740992 : Number(text);
}
