/**
 * Options from outside, checked against a schema: every refusal is phrased from the domain that its field carries.
 */
import { InvalidValueError } from '../src/errors.js';
import { checkName, readable, refused } from '../src/inputs.js';
import { isPlainObject, isPromise } from '../src/kinds.js';
import { checkSchema, type OptionsSchema } from './check-schema.js';
import { nearestName } from './did-you-mean.js';
import { quickly } from './quick-check.js';
import * as z from './zod.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * `input` checked against `schema`, one of zod's or zod/mini's: complete (defaults filled in) and frozen.
 * Throws InvalidValueError, naming `owner`, the field, its domain and the value, for the first field that is unknown,
 * wrong or missing, and naming `name` for what is no plain object. Fields that the schema does not have are refused,
 * unless it says what becomes of them (`z.looseObject`). `input` itself is not changed, and each of its fields is read
 * once; where one cannot be read, that is refused too.
 */
export function checkOptions<S extends OptionsSchema>(
  owner: string,
  schema: S,
  input: unknown,
  name = 'options',
): Readonly<z.output<S>> {
  checkName('checkOptions', 'owner', owner);
  checkName('checkOptions', 'name', name);
  checkSchema(owner, schema);
  const { shape, catchall } = schema._zod.def;
  const isStrict = catchall === undefined || catchall._zod.def.type === 'never';
  return checked(owner, name, schema, readFields(owner, name, input, isStrict ? shape : undefined));
}

/**
 * The fields of a plain object, each read once. Throws InvalidValueError, naming `owner`, for one that is not in `known`, and
 * naming `name` for what is no plain object.
 */
export function readFields(owner: string, name: string, input: unknown, known?: Fields): Record<string, unknown> {
  checkPlain(owner, name, input);
  const given = read(owner, name, input);
  if (known === undefined) return given;
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(known, key)) throw unknownName(owner, key, key, Object.keys(known), given[key]);
  }
  return given;
}

/** The fields of `schema` in `input`, such as a file of another program, which has others too; else as `checkOptions`. */
export function checkFields<S extends OptionsSchema>(
  owner: string,
  schema: S,
  input: unknown,
  name: string,
): Readonly<z.output<S>> {
  const given = readFields(owner, name, input);
  const known = Object.keys(schema.shape).filter((field) => field in given);
  return checked(owner, name, schema, Object.fromEntries(known.map((field) => [field, given[field]])));
}

function checked<S extends OptionsSchema>(
  owner: string,
  name: string,
  schema: S,
  given: Fields,
): Readonly<z.output<S>> {
  const quick = quickly(schema, given);
  if (quick !== undefined) return Object.freeze(quick) as Readonly<z.output<S>>;
  const result = parse(owner, schema, given);
  if (result.success) return Object.freeze(result.data);
  const { issues } = result.error;
  const first = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  throw refusal(owner, name, schema, given, first as z.core.$ZodIssue);
}

/** Refuses, naming `owner` and `name`, what is not an object as a literal or JSON makes it. */
export function checkPlain(owner: string, name: string, input: unknown): asserts input is Fields {
  if (isPlainObject(input) && !isPromise(input)) return;
  throw new InvalidValueError(
    owner,
    name,
    isPromise(input) ? 'a plain object (await the promise)' : 'a plain object',
    input,
  );
}

function read(owner: string, name: string, input: Fields): Record<string, unknown> {
  const given = Object.create(null) as Record<string, unknown>;
  let field = name;
  try {
    for (const key of Object.keys(input)) {
      field = key;
      given[key] = input[key]; // without a prototype, `__proto__` is a name like others
    }
  } catch (cause) {
    throw refused(owner, field, input, cause);
  }
  return given;
}

function unknownName(owner: string, path: string, key: string, known: readonly string[], value: unknown) {
  const near = nearestName(key, known);
  const meant = near === undefined ? '' : `did you mean \`${near}\`? `;
  return new InvalidValueError(
    owner,
    path,
    `absent (${meant}the parameters are: ${known.join(', ') || 'none'})`,
    value,
  );
}

/** A check that throws, as on a getter deep in the value that does or on one too deep, refuses the field that it is of. */
function parse<S extends OptionsSchema>(owner: string, schema: S, given: Fields) {
  try {
    return z.safeParse(schema, given);
  } catch (thrown) {
    if (thrown instanceof InvalidValueError || thrown instanceof z.$ZodAsyncError) throw thrown;
    for (const [name, field] of Object.entries(schema._zod.def.shape)) {
      readable(owner, name, given[name], () => z.safeParse(field, given[name]));
    }
    throw thrown;
  }
}

function refusal(
  owner: string,
  name: string,
  schema: OptionsSchema,
  given: Fields,
  issue: z.core.$ZodIssue,
): InvalidValueError {
  const { path } = issue;
  const value = valueAt(given, path);
  if (path.length === 0) return new InvalidValueError(owner, name, issue.message, given);
  if (issue.code !== 'unrecognized_keys') return new InvalidValueError(owner, pathName(path), issue.message, value);
  const key = issue.keys[0] as string;
  return unknownName(owner, pathName([...path, key]), key, fieldsAt(schema, path), valueAt(value, [key]));
}

/** The fields of the object that the schema has at `path`. */
function fieldsAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  let definition = innermost(schema);
  for (const key of path) {
    const { shape, element, valueType } = definition;
    definition = innermost(shape?.[key as string] ?? element ?? valueType);
  }
  return Object.keys(definition.shape ?? {});
}

interface Definition {
  readonly shape?: Fields;
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly innerType?: unknown;
}

/** Without what says that it may be left out, be null or have a default. */
function innermost(schema: unknown): Definition {
  const definition = (schema as { _zod?: { def: Definition } } | undefined)?._zod?.def ?? {};
  return definition.innerType === undefined ? definition : innermost(definition.innerType);
}

/** `stop`, `stop[1]`, `bias.7`: a path as code would write it. */
function pathName(path: readonly PropertyKey[]): string {
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  try {
    return path.reduce((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
  } catch {
    return input;
  }
}
