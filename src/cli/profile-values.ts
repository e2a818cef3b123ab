/**
 * Values of a profile's parameters as the command line writes them, by their schemas. What is none is passed on as it is, for the
 * schema to refuse.
 */
import { domainOf } from '../../processors/domain-of.js';
import type * as z from '../../processors/zod.js';
import { parseNumber } from './param-parsers.js';

interface Definition {
  readonly type?: string;
  readonly innerType?: z.core.$ZodType;
  readonly defaultValue?: unknown;
}

/** What a shell writes for it: `boolean` is a flag without a value. */
export function kindOf(schema: z.core.$ZodType): 'number' | 'boolean' | 'ids' | 'value' {
  const { type, innerType } = schema._zod.def as Definition;
  if (innerType !== undefined) return kindOf(innerType);
  if (type === 'number' || type === 'boolean') return type;
  return domainOf(schema).includes('an array of ids') ? 'ids' : 'value';
}

/** How to read a value: a number, ids separated by commas, JSON, or a text. */
export function parserOf(schema: z.core.$ZodType): (text: string) => unknown {
  const kind = kindOf(schema);
  if (kind === 'number') return parseNumber;
  return (text) => {
    if (/^\s*[[{]/.test(text)) return parsed(text);
    return kind === 'ids' ? text.split(',').map(parseNumber) : text;
  };
}

/** The default, as `--help` says it; '' for none. */
export function defaultOf(schema: z.core.$ZodType): string {
  const { defaultValue } = schema._zod.def as Definition;
  return typeof defaultValue === 'number' ? ` (default ${defaultValue})` : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
