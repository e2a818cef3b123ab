/**
 * The arguments that the programs of this folder have in common: which engines, and which of them must be there.
 */
import { parseArgs } from 'node:util';

const OPTIONS = { only: { type: 'string' }, require: { type: 'string' }, json: { type: 'string' } };

/**
 * What the arguments ask for, of the engines `all`; where they are wrong it says why, and the result is undefined.
 */
export function readArguments(program, all) {
  try {
    return checked(all);
  } catch (error) {
    console.error(`${program}: ${error.message}`);
    return undefined;
  }
}

function checked(all) {
  const { values } = parseArgs({ options: OPTIONS });
  const only = values.only?.split(',') ?? all;
  const required = values.require?.split(',') ?? [];
  const unknown = [...only, ...required].find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`no engine ${unknown}; there are ${all.join(', ')}`);
  const left = required.find((name) => !only.includes(name));
  if (left !== undefined) throw new Error(`--require names ${left}, which --only leaves out`);
  return { only, required, json: values.json };
}
