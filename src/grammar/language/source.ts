/**
 * Everything that says a grammar, as one text for the engine.
 */
import { InvalidValueError } from '../../errors.js';
import { readArray } from '../../inputs.js';
import type { GrammarSource } from '../engine/engine.js';
import { DEEPEST_PARTS, isShallow } from './ebnf/depth.js';
import { parseEbnf } from './ebnf/parse.js';
import { larkOfRegex, printRules } from './ebnf/print.js';
import { productiveRules } from './ebnf/productive.js';
import { countSteps } from './ebnf/steps.js';
import { rustRegex } from './js-regex.js';
import { type GrammarWarning, refusal } from './refusal.js';
import { rustText } from './rust-class.js';
import { asJsonSchema } from './schema/other-libraries.js';
import { type PreparedSchema, prepareSchema, type SchemaOptions } from './schema/prepare-schema.js';
import { type Tool, toolSchema } from './schema/tools.js';

/** A grammar for the engine, and what its text does not say. */
export interface PreparedGrammar extends GrammarSource {
  /** What is not enforced, where the user allowed that. */
  readonly warnings?: readonly GrammarWarning[];
  /** Patterns of the user, by what stands for each in `text`. */
  readonly patterns?: ReadonlyMap<string, string>;
}

/** The most characters of a grammar. */
const LONGEST_GRAMMAR = 200_000;
const MOST_CHOICES = 5000;

/** JSON that fits `schema`: an object, a boolean, JSON text of one, or a schema of zod or another library. */
export function schemaSource(schema: unknown, options: SchemaOptions = {}): PreparedGrammar & PreparedSchema {
  return { kind: 'json_schema', ...prepareSchema(asJsonSchema(schema, 'json_schema'), 'json_schema', options) };
}

/** A call of one of `tools`: JSON with its name and its arguments. */
export function toolSource(tools: readonly Tool[], options: SchemaOptions = {}): PreparedGrammar {
  const { schema, pathOf } = toolSchema(tools);
  try {
    const prepared = prepareSchema(schema, 'tools', options);
    const warnings = prepared.warnings.map((one) => ({ ...one, place: pathOf(`tools${one.place}`).slice(5) }));
    return { kind: 'json_schema', ...prepared, warnings };
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    throw refusal(pathOf(error.parameter), error.domain, error.value);
  }
}

/** Texts that `pattern` matches as a whole, read as JavaScript does with the flag `u`. */
export function regexSource(pattern: string): PreparedGrammar {
  return { kind: 'lark', text: larkOfRegex(rustRegex(pattern, 'regex', 'whole')) };
}

/** One of `texts`. */
export function choiceSource(texts: readonly string[]): PreparedGrammar {
  const domain = `a non-empty array of at most ${MOST_CHOICES} strings without half characters (lone surrogates)`;
  const own = readArray('Grammars', 'choice', domain, texts, (text, i) => {
    if (i >= MOST_CHOICES || !isText(text)) throw refusal('choice', domain, texts);
    return text as string;
  });
  if (own.length === 0) throw refusal('choice', domain, texts);
  checkText(own.join(''), 'choice');
  return { kind: 'lark', text: larkOfRegex(own.map(rustText).join('|')) };
}

function isText(text: unknown): boolean {
  return typeof text === 'string' && !/\p{Surrogate}/u.test(text);
}

/** Texts of the rule `root` of a grammar in EBNF or GBNF. */
export function ebnfSource(grammar: string): PreparedGrammar {
  checkText(grammar, 'ebnf');
  const refuse = (domain: string) => refusal('ebnf', domain, grammar);
  const read = parseEbnf(grammar, refuse);
  if (!isShallow(read))
    throw refuse(`a grammar with at most ${DEEPEST_PARTS} parts within one another, rules included`);
  const spend = countSteps(refuse);
  const rules = productiveRules(read, spend);
  if (rules === undefined) throw refuse('a grammar whose root has a text');
  return { kind: 'lark', text: printRules(rules, spend) };
}

/** Texts of the rule `start` of a grammar in llguidance's Lark. */
export function larkSource(grammar: string): PreparedGrammar {
  checkText(grammar, 'lark');
  return { kind: 'lark', text: grammar };
}

function checkText(grammar: unknown, name: string): void {
  if (typeof grammar !== 'string') throw refusal(name, 'a string', grammar);
  if (grammar.length > LONGEST_GRAMMAR) throw refusal(name, `at most ${LONGEST_GRAMMAR} characters`, grammar.length);
}
