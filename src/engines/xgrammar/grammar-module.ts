/**
 * Grammars in chains as data: `[{ "use": "grammar", "regex": "[0-9]+" }, { "use": "top-k", "k": 40 }]`.
 */
import { ContainerModule } from 'inversify';
import { z } from 'zod';
import { Constrained } from '../../../processors/masks/constrained.js';
import { checkOptions } from '../../../processors/schema.js';
import { type ProcessorFactory, processorToken, TOKENS } from '../../container/tokens.js';
import { InvalidValueError } from '../../errors.js';
import { hasFunction } from '../../kinds.js';
import type { Grammar } from './grammar.js';
import type { Grammars } from './grammars.js';

const NAME = 'grammar';
const OWNER = 'Grammar';
const KINDS = ['json_schema', 'regex', 'ebnf'] as const;

const schemaDomain = 'a JSON schema: an object, true or false';
const options = z.strictObject({
  json_schema: z.union([z.record(z.string(), z.unknown()), z.boolean()], { error: schemaDomain }).optional(),
  regex: z.string({ error: 'a regular expression as a string' }).optional(),
  ebnf: z.string({ error: 'an EBNF grammar as a string' }).optional(),
});

/** The options of the step `grammar`: exactly one of them. */
export type GrammarOptions = z.input<typeof options>;

/**
 * Registers the step `grammar`, of stage `scores`, in a container: each chain gets a constraint of its own, whose place is
 * saved and restored with the chain. Compiled once for each grammar.
 */
export function grammarModule(grammars: Grammars): ContainerModule {
  const isGrammars = ['jsonSchema', 'regex', 'ebnf'].every((method) => hasFunction(grammars, method));
  if (!isGrammars) throw new InvalidValueError('grammarModule', 'grammars', 'what `createGrammars` gives', grammars);
  return new ContainerModule(({ bind, isBound, rebind }) => {
    const token = processorToken(NAME);
    const factory: ProcessorFactory = (given) => grammarStep(grammars, given);
    if (isBound(token)) {
      rebind(token).toConstantValue(factory);
    } else {
      bind(token).toConstantValue(factory);
      bind(TOKENS.processorName).toConstantValue(NAME);
    }
  });
}

function grammarStep(grammars: Grammars, given: object): Constrained {
  const checked = checkOptions(OWNER, options, given);
  const kinds = KINDS.filter((kind) => checked[kind] !== undefined);
  if (kinds.length !== 1) throw new InvalidValueError(OWNER, 'options', `exactly one of ${KINDS.join(', ')}`, given);
  return new Constrained(compile(grammars, checked).constraint(), { name: NAME, options: checked });
}

function compile(grammars: Grammars, { json_schema, regex, ebnf }: GrammarOptions): Grammar {
  if (json_schema !== undefined) return grammars.jsonSchema(json_schema);
  return regex !== undefined ? grammars.regex(regex) : grammars.ebnf(ebnf as string);
}
