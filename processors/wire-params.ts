/**
 * The parameters of a request that a step honours, under their wire names: the one place where each is said.
 *
 * The schema of the parameters, the options in the spec's chain, the flags of the command line and its help follow from it.
 */
import { InvalidValueError } from '../src/errors.js';
import { isObject } from '../src/kinds.js';
import { checkOptions } from './check-options.js';
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

const text = z.string({ error: 'a non-empty string' }).check(z.minLength(1, { error: 'a non-empty string' }));
const infoSchema = z.strictObject({ option: text, off: z.unknown(), on: z.unknown(), help: text });
const WIRE_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** Refuses, naming `owner`, what does not say of each parameter how it reaches an option that `schema` has. */
export function checkWireParams(owner: string, params: unknown, schema: OptionsSchema): void {
  if (!isObject(params)) throw new InvalidValueError(owner, 'params', 'an object of parameters', params);
  for (const [name, given] of Object.entries(params)) {
    const place = `params.${name}`;
    if (!WIRE_NAME.test(name)) throw new InvalidValueError(owner, 'params', 'names in snake_case', name);
    const info = checkOptions(owner, infoSchema, given as object, place);
    const option = Object.hasOwn(schema.shape, info.option) ? schema.shape[info.option] : undefined;
    const domain = `one of the options: ${Object.keys(schema.shape).join(', ')}`;
    if (option === undefined) throw new InvalidValueError(owner, `${place}.option`, domain, info.option);
    for (const side of ['off', 'on'] as const) {
      if (z.safeParse(option, info[side]).success) continue;
      throw new InvalidValueError(
        owner,
        `${place}.${side}`,
        `a value that the option ${info.option} takes`,
        info[side],
      );
    }
    if (info.off === info.on) throw new InvalidValueError(owner, `${place}.on`, 'another value than `off`', info.on);
  }
}
