/**
 * The parameters of a request that a step honours, under their wire names: the one place where each is said.
 *
 * The schema of the parameters, the options in the spec's chain, the flags of the command line and its help follow from it.
 */
import { InvalidValueError } from '../src/errors.js';
import { readFields } from './check-options.js';
import type { OptionsSchema } from './check-schema.js';
import * as z from './zod.js';

/** What there is to say of a parameter. */
export interface ParamInfo {
  /** The option of the step that it sets. Its domain is that of the option. */
  readonly option: string;
  /** Its default: with it, and the step's other parameters left out, the step does nothing. */
  readonly off: number;
  /** A value with which the step does something: an example. */
  readonly on: number;
  /** What it does, in a few words, without its domain. */
  readonly help: string;
}

/** Those of a step with options of the schema S: `P` is their interface, with each under its wire name. */
export type WireParams<P, S extends OptionsSchema> = {
  readonly [K in keyof P]-?: ParamInfo & { readonly option: keyof z.output<S> & string };
};

const WIRE_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const FIELDS = { option: true, off: true, on: true, help: true };

/** Refuses, naming `owner`, what does not say of each parameter how it reaches an option that `schema` has. */
export function checkWireParams(owner: string, params: unknown, schema: OptionsSchema): void {
  for (const [name, given] of Object.entries(readFields(owner, 'params', params))) {
    if (!WIRE_NAME.test(name)) throw new InvalidValueError(owner, 'params', 'names in snake_case', name);
    checkInfo(owner, `params.${name}`, readFields(owner, `params.${name}`, given, FIELDS), schema.shape);
  }
}

function checkInfo(owner: string, place: string, info: Record<string, unknown>, shape: OptionsSchema['shape']): void {
  const { option, off, on, help } = info;
  const schema = typeof option === 'string' && Object.hasOwn(shape, option) ? shape[option] : undefined;
  const domain = `one of the options: ${Object.keys(shape).join(', ')}`;
  if (schema === undefined) throw new InvalidValueError(owner, `${place}.option`, domain, option);
  for (const [side, value] of Object.entries({ off, on })) {
    if (z.safeParse(schema, value).success) continue;
    throw new InvalidValueError(owner, `${place}.${side}`, `a value that the option ${option} takes`, value);
  }
  if (off === on) throw new InvalidValueError(owner, `${place}.on`, 'another value than `off`', on);
  const isText = typeof help === 'string' && help !== '';
  if (!isText) throw new InvalidValueError(owner, `${place}.help`, 'a non-empty string', help);
}
