/**
 * Profiles: named chains that reproduce another system's rules and order from its own parameter names.
 */
import * as z from '../../processors/zod.js';
import type { ChainStepData } from '../chain/chain-data.js';

/** A parameter of the system, which the profile honours. */
export interface ProfileParam<S extends z.core.$ZodType = z.core.$ZodType> {
  /** What it may be, and its default, which is the system's. */
  readonly schema: S;
  /** What it does, for `--help`. */
  readonly help: string;
  /** Its other names in the system, such as those of its command line. */
  readonly also?: readonly string[];
}

type Params = Readonly<Record<string, ProfileParam>>;

/** The values of all parameters: those given, the system's defaults for the others. */
export type Values<P extends Params> = { readonly [K in keyof P]: z.output<P[K]['schema']> };

/** What a profile is made of. */
export interface ProfileInfo<P extends Params> {
  /** `llama.cpp`, `vllm`, … */
  readonly name: string;
  /** The system, and which of its programs have these names. */
  readonly system: string;
  /** What differs from the spec, a line each. */
  readonly differs: readonly string[];
  /** The parameters that it honours, by the system's names. */
  readonly params: P;
  /** The system's other parameters, and why each is refused. */
  readonly refused: Readonly<Record<string, string>>;
  /** The chain of checked values. Refuses values that do not go together. */
  steps(values: Values<P>): readonly ChainStepData[];
}

export interface Profile extends ProfileInfo<Params> {
  /** Of all parameters together. */
  readonly schema: z.ZodMiniObject;
}

/** A profile, frozen. */
export function profileOf<const P extends Params>(info: ProfileInfo<P>): Profile {
  const schemas = Object.entries(info.params).map(([name, { schema }]) => [name, schema]);
  const schema = z.strictObject(Object.fromEntries(schemas)) as unknown as z.ZodMiniObject;
  return Object.freeze({ ...(info as unknown as ProfileInfo<Params>), schema });
}
