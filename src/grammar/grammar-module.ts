/**
 * Grammars in chains as data: `[{ "use": "grammar", "json_schema": {} }, { "use": "top-k", "k": 40 }]`.
 */
import { ContainerModule } from 'inversify';
import { z } from 'zod';
import { Constrained } from '../../processors/masks/constrained.js';
import { checkOptions } from '../../processors/schema.js';
import { type ProcessorFactory, processorToken, TOKENS } from '../container/tokens.js';
import { InvalidValueError } from '../errors.js';
import type { Grammar } from './grammar.js';
import type { Grammars } from './grammars.js';

const NAME = 'grammar';
const OWNER = 'Grammar';

const schemaDomain = 'a JSON schema: an object, true or false';
const options = z.strictObject({
  json_schema: z.union([z.record(z.string(), z.unknown()), z.boolean()], { error: schemaDomain }).optional(),
  regex: z.string({ error: 'a regular expression as a string' }).optional(),
  choice: z.array(z.string(), { error: 'an array of strings' }).optional(),
  lark: z.string({ error: 'a Lark grammar as a string' }).optional(),
});

/** The options of the step `grammar`: exactly one of them. */
export type GrammarOptions = z.input<typeof options>;

/** What compiles each option. */
const COMPILERS: {
  [K in keyof GrammarOptions]-?: (grammars: Grammars, given: NonNullable<GrammarOptions[K]>) => Grammar;
} = {
  json_schema: (grammars, schema) => grammars.jsonSchema(schema),
  regex: (grammars, pattern) => grammars.regex(pattern),
  choice: (grammars, texts) => grammars.choice(texts),
  lark: (grammars, text) => grammars.lark(text),
};

/**
 * Registers the step `grammar`, of stage `scores`, in a container: each chain gets a constraint of its own, whose place is
 * saved and restored with the chain. Compiled once for each grammar.
 */
export function grammarModule(grammars: Grammars): ContainerModule {
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
  const kinds = (Object.keys(COMPILERS) as (keyof GrammarOptions)[]).filter((kind) => checked[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    throw new InvalidValueError(OWNER, 'options', `exactly one of ${Object.keys(COMPILERS).join(', ')}`, given);
  }
  const compile = COMPILERS[kind] as (grammars: Grammars, given: unknown) => Grammar;
  return new Constrained(compile(grammars, checked[kind]).constraint(), { name: NAME, options: checked });
}
