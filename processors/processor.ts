/**
 * Processors as classes: what `@processor` says of one, and the base class that checks its options.
 */
import { InvalidValueError } from '../src/errors.js';
import { readable } from '../src/inputs.js';
import { isFunction } from '../src/kinds.js';
import { checkOptions } from './check-options.js';
import { checkSchema, type OptionsSchema } from './check-schema.js';
import type { Candidates, LogitsProcessor, Stage, StepContext } from './contract.js';
import { listOf } from './list-schema.js';
import { isProcessorName, NO_USE, PROCESSOR_NAME } from './processor-name.js';
import { type Injected, type Injection, isInjection } from './tokens.js';
import { checkWireParams, type ParamInfo } from './wire-params.js';
import * as z from './zod.js';

/** What `@processor` says of a class. */
export interface ProcessorInfo<S extends OptionsSchema = OptionsSchema> {
  /** The name in chains as data, kebab-case. */
  readonly name: string;
  readonly options: S;
  readonly stage: Stage;
  readonly draws?: number;
  /** As in `LogitsProcessor`. */
  readonly leavesOne?: boolean;
  /** What the constructor is given behind the options, in this order, such as `TOKENS.tokenizer`. Default: nothing. */
  readonly inject?: readonly Injection[];
  /** The parameters of a request that it honours, by wire name. Default: none. */
  readonly params?: Readonly<Record<string, ParamInfo>>;
}

/** A class that can be registered: built from its options and what it asks for, carrying its name and schema. */
export type ProcessorClass = new (options: never, ...injected: never[]) => LogitsProcessor;

/** Registered, so that another copy of this package reads what this one wrote. */
const INFO = Symbol.for('lockstep.processor');
const TOKEN = 'a token, such as TOKENS.tokenizer, or `ifGiven` of one';
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const infoSchema = z.strictObject({
  name: z.custom<string>(isProcessorName, { error: PROCESSOR_NAME }),
  options: z.unknown(),
  stage: z.enum(['scores', 'policy'], { error: '`scores` or `policy`' }),
  draws: z.optional(z.custom<number>(isCount, { error: 'an integer >= 0' })),
  leavesOne: z.optional(z.boolean({ error: 'true or false' })),
  inject: z.optional(listOf(z.custom<Injection>(isInjection, { error: TOKEN }), 'an array of tokens')),
  params: z.optional(z.custom<NonNullable<ProcessorInfo['params']>>()),
});

/**
 * Names a processor class, gives it the schema of its options, and says what its constructor is to be given behind them. It is
 * said of the class alone, not of those below it.
 */
export function processor<const I extends readonly Injection[]>(
  info: ProcessorInfo & { readonly inject: I },
): (target: new (options: never, ...injected: Injected<I>) => LogitsProcessor) => void;
export function processor(
  info: ProcessorInfo & { readonly inject?: never },
): (target: new (options: never) => LogitsProcessor) => void;
export function processor(info: ProcessorInfo): (target: ProcessorClass) => void {
  const checked = checkOptions('@processor', infoSchema, info, 'info');
  checkSchema('@processor', checked.options);
  if ('use' in checked.options.shape) {
    throw new InvalidValueError('@processor', 'options.use', NO_USE, 'a field of the schema');
  }
  checkWireParams('@processor', checked.params ?? {}, checked.options);
  return (target) => {
    const domain = 'a class that has no decoration yet and is not frozen';
    const isFree = () => isFunction(target) && !Object.hasOwn(target, INFO) && Object.isExtensible(target);
    if (!readable('@processor', 'class', target, isFree)) {
      throw new InvalidValueError('@processor', 'class', domain, target);
    }
    Object.defineProperty(target, INFO, { value: checked });
  };
}

/** What `@processor` said of `target`. Throws when it said nothing. */
export function processorInfo(target: ProcessorClass): ProcessorInfo {
  const read = () => (typeof target === 'function' ? Object.getOwnPropertyDescriptor(target, INFO)?.value : undefined);
  const info = readable('processorInfo', 'class', target, read) as ProcessorInfo | undefined;
  if (info === undefined) throw new InvalidValueError('processorInfo', 'class', 'decorated with @processor', target);
  return info;
}

/** Base of the processor classes: checks the options against the schema of `@processor` and freezes them. */
export abstract class Processor<S extends OptionsSchema> implements LogitsProcessor {
  // declared and not defined: a request makes six of them, and to define each field first takes as long as all the rest
  declare readonly name: string;
  declare readonly stage: Stage;
  declare readonly draws: number;
  declare readonly leavesOne: boolean;
  declare readonly options: Readonly<z.output<S>>;

  constructor(options: z.input<S>) {
    const owner = new.target as unknown as ProcessorClass;
    const info = processorInfo(owner) as ProcessorInfo<S>;
    this.name = info.name;
    this.stage = info.stage;
    this.draws = info.draws ?? 0;
    this.leavesOne = info.leavesOne ?? false;
    this.options = checkOptions(owner.name || info.name, info.options, options);
  }

  get active(): boolean {
    return true;
  }

  abstract process(candidates: Candidates, context: StepContext): void;
}
