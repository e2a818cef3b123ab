/**
 * The table of the fuzz leaves nothing out: what is exported and takes something stands in it, or here with the reason.
 */
import { describe, expect, it } from 'vitest';
import * as processors from '../../processors/index.js';
import * as grammar from '../../src/grammar/index.js';
import * as workers from '../../src/workers/index.js';
import * as lockstep from '../support/every-door.js';
import { SUBJECTS } from './tables/index.js';

const ENTRIES = { lockstep, processors, workers, grammar };
type Exports = Readonly<Record<string, unknown>>;
type Class = { readonly prototype: object; readonly name: string };

const BY_OTHERS = 'made by the functions of this package only';
const AS_PROMISE = 'as that of a promise: what is no function is left out';

/** What is not in the table, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  Processor: 'the abstract class that those in the table extend',
  Generation: BY_OTHERS,
  GenerationGroup: BY_OTHERS,
  SpeculativeGeneration: BY_OTHERS,
  'Generation.then': AS_PROMISE,
  'GenerationGroup.then': AS_PROMISE,
  'SpeculativeGeneration.then': AS_PROMISE,
  Grammar: BY_OTHERS,
  GrammarConstraint: BY_OTHERS,
  Grammars: BY_OTHERS,
  LawError: 'what refuses: it takes whatever it is given',
  InvalidValueError: 'what refuses: it takes whatever it is given',
  NothingLeftError: 'what refuses: it takes whatever it is given',
  'InvalidValueError.at': 'what refuses: it takes whatever it is given',
  beamSearch: 'all steps of `beamSteps`, which is in the table',
  Mask: 'takes nothing',
  ready: 'takes nothing',
  SamplerPool: 'made by `open`, which is in the table',
  'TokenHistory.outputCount': 'a count, which is 0 for what is no id',
  'EmbeddedTokenizer.encode': 'of a tokenizer that takes seconds to make; in its own tests',
  'EmbeddedTokenizer.tokenBytes': 'of a tokenizer that takes seconds to make; in its own tests',
};

/** Exports that are data, not called. */
function isCalled(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === 'function';
}

function isClass(value: unknown): value is Class {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

function takesNothing(method: unknown): boolean {
  return /^(?:static |async |\*)*[\w$]+\s*\(\s*\)/.test(
    Function.prototype.toString.call(method).replace(/^function\s*/, ''),
  );
}

function methodsOf(target: Class): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(target.prototype))
    .filter(([name, { value }]) => name !== 'constructor' && isCalled(value) && !takesNothing(value))
    .map(([name]) => name);
}

/** `createSampler`, `new Sampler`, `Sampler.sample`: the names under which the table has what `name` exports. */
function subjectsOf(name: string, value: unknown): string[] {
  if (isClass(value)) return [`new ${name}`, ...methodsOf(value).map((method) => `${name}.${method}`)];
  return isCalled(value) && !takesNothing(value) ? [name] : [];
}

function isLeftOut(subject: string): boolean {
  const [target, method] = subject.replace(/^new /, '').split('.');
  if (method === 'process' && target !== 'ProcessorChain') return true; // of a step: called by its chain, which was checked
  return subject.replace(/^new /, '') in LEFT_OUT;
}

describe('the table of the fuzz', () => {
  const known = new Set(SUBJECTS.map(({ of }) => of));

  it.each(Object.entries(ENTRIES))('has all that %s exports', (_, exports) => {
    const all = Object.entries(exports as Exports).flatMap(([name, value]) => subjectsOf(name, value));
    expect(all.filter((subject) => !known.has(subject) && !isLeftOut(subject))).toEqual([]);
  });

  it('leaves out only what is there', () => {
    const all = Object.values(ENTRIES).flatMap((exports) =>
      Object.entries(exports as Exports).flatMap(([name, value]) => [name, ...subjectsOf(name, value)]),
    );
    expect(Object.keys(LEFT_OUT).filter((name) => !all.includes(name))).toEqual([]);
  });
});
