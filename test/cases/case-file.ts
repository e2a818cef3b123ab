/**
 * The public bug reports of fixtures/public-bugs/cases.json. Its README says what each field means.
 */
import { readFileSync } from 'node:fs';
import type { SamplingParamsInput } from '../../src/index.js';
import { log } from '../../src/numerics/index.js';

/** A number as JSON can hold it: "-inf", "inf", "nan" and "ln x" are words. */
export type NumberData = number | string;

/** All entries, or zeros and then entries. */
export type LogitsData = readonly NumberData[] | { readonly zeros: number; readonly then: readonly NumberData[] };

export interface TokenInput {
  readonly logits: LogitsData;
  readonly params?: SamplingParamsInput;
  readonly prompt?: readonly number[];
  readonly history?: readonly number[];
  /** On the raw logits. */
  readonly mask?: { readonly ban?: readonly number[]; readonly allow?: readonly number[] };
  /** The token's uniform; of several, each alone. */
  readonly u?: number | readonly number[];
}

/** What a token came to, or a part of it: what a check expects, and what the reported fault gives. */
export interface TokenValues {
  readonly kept?: readonly number[];
  /** By id; 0 for ids that are not named. */
  readonly q?: Readonly<Record<string, NumberData>>;
  /** q added up in ascending id order. */
  readonly sum?: number;
  readonly id?: number;
  readonly logprob?: NumberData;
  readonly penalised?: readonly NumberData[];
  readonly top?: { readonly ids: readonly number[]; readonly logprobs: readonly NumberData[] };
  /** The exponentials of the top logprobs, added up. */
  readonly topSum?: number;
  /** The parameter that the refusal names. */
  readonly error?: string;
  /** The value that the refusal shows. */
  readonly value?: number;
}

export interface TextInput {
  /** The text or the bytes of each generated token, in order. */
  readonly pieces?: readonly (string | readonly number[])[];
  /** Or the text of each id, and the generated ids. */
  readonly vocabulary?: Readonly<Record<string, string>>;
  readonly ids?: readonly number[];
  readonly stop: readonly string[];
  /** What ends the text when no stop string does. */
  readonly end?: 'end-id' | 'max_tokens';
}

export interface TextValues {
  readonly text?: string;
  readonly finish?: 'stop' | 'length';
  /** Tokens until the end. */
  readonly tokens?: number;
  readonly matched?: string;
  /** The text that came out with each token. */
  readonly deltas?: readonly string[];
  /** The bytes of each token. */
  readonly bytes?: readonly (readonly number[])[];
  readonly error?: string;
}

export interface Check<Input, Values> {
  /** Tells the checks of one case apart. */
  readonly when?: string;
  readonly input: Input;
  /** `exact` lists what is compared bit for bit. */
  readonly right: Values & { readonly exact?: readonly string[] };
  readonly fault?: string | Values | readonly Values[];
}

interface CaseHead {
  readonly number: string;
  readonly group: string;
  readonly kind: string;
  readonly addresses: readonly string[];
  readonly report: string;
  readonly behaviour: string;
}

export interface TokenCase extends CaseHead {
  readonly test: 'token';
  /** Whether the checks are also run as requests side by side. */
  readonly together?: true;
  readonly checks: readonly Check<TokenInput, TokenValues>[];
}

export interface TextCase extends CaseHead {
  readonly test: 'text';
  readonly checks: readonly Check<TextInput, TextValues>[];
}

export interface SeedsCase extends CaseHead {
  readonly test: 'seeds' | 'command-line';
  readonly input: {
    /** V logits of 0. */
    readonly zeros: number;
    readonly steps: number;
    /** null: none is given. */
    readonly seeds: readonly (number | null)[];
    readonly runs?: number;
  };
}

export type PublicCase = TokenCase | TextCase | SeedsCase;

const folder = new URL('../../fixtures/public-bugs/', import.meta.url);

/** The text of the README beside the cases. */
export const readme = readFileSync(new URL('README.md', folder), 'utf8');

export const cases: readonly PublicCase[] = JSON.parse(readFileSync(new URL('cases.json', folder), 'utf8')).cases;

/** The name of a test: the number, what holds, and of several checks which. */
export function testName({ number, behaviour }: CaseHead, check: { readonly when?: string } = {}): string {
  return `${number} ${behaviour}${check.when === undefined ? '' : `: ${check.when}`}`;
}

const WORDS: Readonly<Record<string, number>> = { '-inf': -Infinity, inf: Infinity, nan: Number.NaN };

/** The number that `data` stands for. */
export function toNumber(data: NumberData): number {
  if (typeof data === 'number') return data;
  const value = data.startsWith('ln ') ? log(Number(data.slice(3))) : WORDS[data];
  if (value === undefined) throw new Error(`cases.json: no number is called "${data}"`);
  return value;
}

export function toLogits(data: LogitsData): number[] {
  if ('zeros' in data) return [...new Array<number>(data.zeros).fill(0), ...data.then.map(toNumber)];
  return data.map(toNumber);
}

/** The faults that a check gives as values. */
export function faultsOf<Input, Values extends object>(check: Check<Input, Values>): readonly Values[] {
  if (check.fault === undefined || typeof check.fault === 'string') return [];
  return Array.isArray(check.fault) ? check.fault : [check.fault as Values];
}
