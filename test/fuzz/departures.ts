/**
 * One subject against all bad values: whatever is neither an InvalidValueError nor a stated acceptance is a departure.
 */
import type { InvalidValueError } from '../../src/errors.js';
import { BAD_VALUES, type BadValue } from './bad-values.js';
import type { Accepted, Param, Prepared, Subject } from './subject.js';

/** A refusal says more than this only where something of the input gets into it whole. */
const LONGEST_MESSAGE = 2000;

/** Each as a line: what was called with what, and what came of it. */
export async function departuresOf(subject: Subject): Promise<string[]> {
  const found: string[] = [];
  for (const [index, param] of subject.params.entries()) {
    for (const bad of BAD_VALUES) {
      const outcome = await outcomeOf(subject, param, index, param.accepted, (_, value) => value, bad, param.name);
      if (outcome !== undefined) found.push(outcome);
    }
    for (const [field, accepts] of Object.entries(param.fields ?? {})) {
      for (const bad of BAD_VALUES) {
        const put = (good: unknown, value: unknown) => Object.freeze({ ...(good as object), [field]: value });
        const outcome = await outcomeOf(subject, param, index, accepts, put, bad, field);
        if (outcome !== undefined) found.push(outcome);
      }
    }
    if (param.fields !== undefined && !param.isOpen) {
      const put = (good: unknown) => ({ ...(good as object), unheardOf: 1 });
      const bad = { name: '1', make: () => 1 };
      const outcome = await outcomeOf(subject, param, index, [], put, bad, 'unheardOf');
      if (outcome !== undefined) found.push(outcome);
    }
  }
  return found;
}

async function outcomeOf(
  subject: Subject,
  param: Param,
  index: number,
  accepts: readonly Accepted[],
  put: (good: unknown, value: unknown) => unknown,
  bad: BadValue,
  name: string,
): Promise<string | undefined> {
  const acceptance = accepts.find(({ names }) => names.includes(bad.name));
  if (acceptance?.isLong) return undefined;
  const prepared = subject.prepare();
  const args = prepared.args.map((good, i) => (i === index ? put(good, bad.make()) : good));
  const before = prepared.watch?.();
  const isAccepted = acceptance !== undefined;
  const outcome = await run(prepared, args);
  if (acceptance?.isCalled) return undefined;
  const problem = problemOf(outcome, isAccepted, name, name === param.name && param.fields ? /./ : param.alias);
  const line = `${subject.of}: ${name} = ${bad.name}`;
  if (problem !== undefined) return `${line}: ${problem}`;
  if (!isAccepted && !isSame(before, prepared.watch?.())) return `${line}: something changed`;
  return undefined;
}

type Outcome = { readonly thrown: unknown } | { readonly result: unknown };

/** A promise is waited for; what else can be awaited, such as a generation, has been accepted. */
async function run({ call, end }: Prepared, args: readonly unknown[]): Promise<Outcome> {
  try {
    const given = call(...(args as never[]));
    const result = given instanceof Promise ? await given : given;
    await end?.(result);
    return { result: given };
  } catch (thrown) {
    return { thrown };
  }
}

function problemOf(outcome: Outcome, isAccepted: boolean, name: string, alias: RegExp | undefined): string | undefined {
  if (!('thrown' in outcome)) return isAccepted ? undefined : 'accepted';
  const { thrown } = outcome;
  if (!isRefusal(thrown)) return `threw ${shown(thrown)}`;
  if (isAccepted) return `refused though the table says otherwise: ${thrown.message}`;
  if (thrown.owner === '') return 'names no owner';
  if (!names(thrown.parameter, name, alias)) return `names another one: ${thrown.message}`;
  return thrown.message.length > LONGEST_MESSAGE ? 'a message without end' : undefined;
}

/** Of this copy of the package, or of the built one. */
function isRefusal(thrown: unknown): thrown is InvalidValueError {
  return thrown instanceof Error && ['InvalidValueError', 'NothingLeftError'].includes(thrown.name);
}

/** Of options as a whole, a refusal may name a field. */
function names(parameter: string, name: string, alias: RegExp | undefined): boolean {
  return parameter.includes(name) || (alias?.test(parameter) ?? false);
}

function shown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'what is no error';
  return `${thrown.name}: ${String(thrown.message).slice(0, 120)} ${thrown.stack?.split('\n')[1]?.trim() ?? ''}`;
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
