/**
 * The step `grammar` of chains as data: `[{ "use": "grammar", "regex": "[0-9]+" }, { "use": "top-k", "k": 40 }]`.
 */
import { Constrained } from '../../processors/constraints/constrained.js';
import { checkOptions } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import { InvalidValueError } from '../errors.js';
import type { Grammar } from './grammar.js';
import type { Grammars } from './grammars.js';
import type { ToolDefinition } from './language/schema/tools.js';
import { JSON_FIELDS, SCHEMA_FIELDS } from './schema-options.js';

const NAME = 'grammar';
const OWNER = 'Grammar';

const object = z.record(z.string(), z.unknown());
const schemaDomain = 'a JSON schema: an object, true or false';
const count = z.number().check(z.refine((n) => Number.isSafeInteger(n) && n >= 0));
const text = (domain: string) => z.optional(z.string({ error: domain }));
const KINDS = {
  json_schema: z.optional(z.union([object, z.boolean()], { error: schemaDomain })),
  regex: text('a regular expression as a string'),
  ebnf: text('a grammar in EBNF or GBNF as a string'),
  lark: text('a Lark grammar as a string'),
  choice: z.optional(z.array(z.string('a string'), { error: 'an array of strings' })),
  json: z.optional(z.literal(true, { error: 'true, which stands for any JSON' })),
  tools: z.optional(z.array(object, { error: 'an array of tools' })),
};
const close = z.optional(z.union([z.boolean(), count], { error: 'true, false or an integer >= 0' }));
const options = z.strictObject({ ...KINDS, ...SCHEMA_FIELDS, close });

/** The options of the step `grammar`: exactly one of the kinds, how its JSON is written, and whether its text ends in time. */
export type GrammarOptions = z.input<typeof options>;
type Kind = keyof typeof KINDS;

/** What compiles each kind, with the options that it has. */
const COMPILERS: {
  [K in Kind]: (grammars: Grammars, given: NonNullable<GrammarOptions[K]>, rest: GrammarOptions) => Grammar;
} = {
  json_schema: (grammars, schema, rest) => grammars.jsonSchema(schema, rest),
  regex: (grammars, pattern) => grammars.regex(pattern),
  ebnf: (grammars, grammar) => grammars.ebnf(grammar),
  lark: (grammars, grammar) => grammars.lark(grammar),
  choice: (grammars, texts) => grammars.choice(texts),
  json: (grammars, _, rest) => grammars.json(rest),
  tools: (grammars, tools, rest) => grammars.tools(tools as unknown as ToolDefinition[], rest),
};
const OPTIONS_OF: Partial<Record<Kind, object>> = {
  json_schema: SCHEMA_FIELDS,
  json: JSON_FIELDS,
  tools: SCHEMA_FIELDS,
};

/** The step for one request, from its options: a constraint of its own, whose place is saved and restored with the chain. */
export function grammarStep(grammars: Grammars, given: object): Constrained {
  const checked = checkOptions(OWNER, options, given);
  const kind = kindOf(checked);
  const rest = Object.fromEntries(Object.entries(checked).filter(([name]) => !(name in KINDS) && name !== 'close'));
  checkEffect(kind, rest);
  const compile = COMPILERS[kind] as (grammars: Grammars, given: unknown, rest: GrammarOptions) => Grammar;
  const constraint = compile(grammars, checked[kind], rest).constraint({ close: checked.close ?? false });
  return new Constrained(constraint, { name: NAME, options: checked });
}

function kindOf(checked: GrammarOptions): Kind {
  const [kind, ...others] = (Object.keys(KINDS) as Kind[]).filter((name) => checked[name] !== undefined);
  if (kind !== undefined && others.length === 0) return kind;
  throw new InvalidValueError(OWNER, 'options', `exactly one of ${Object.keys(KINDS).join(', ')}`, checked);
}

/** Refuses an option that would do nothing. */
function checkEffect(kind: Kind, rest: Readonly<Record<string, unknown>>): void {
  const known = OPTIONS_OF[kind] ?? {};
  const idle = Object.keys(rest).find((name) => rest[name] !== undefined && !(name in known));
  if (idle !== undefined) throw new InvalidValueError(OWNER, idle, `absent beside \`${kind}\``, rest[idle]);
}
