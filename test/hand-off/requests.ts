/**
 * The mixed requests, and a run of one that notes the state before each event and after the last.
 */

import type { Container, ContainerModule } from 'inversify';
import type { LogitsProcessor } from '../../processors/index.js';
import { grammarModule } from '../../src/container/index.js';
import type { GenerationParamsInput } from '../../src/decode/generation-params.js';
import type { GenerationState } from '../../src/decode/run/generation-state.js';
import { loadEmbedded } from '../../src/embedded/index.js';
import { createGrammars } from '../../src/grammar/index.js';
import {
  type GenerateOptions,
  type Generation,
  generate,
  type LanguageModel,
  type Tokenizer,
} from '../../src/index.js';
import * as library from '../support/every-door.js';

export interface Request {
  readonly prompt: readonly number[] | string;
  /** That of the scripted model; null for the embedded one. */
  readonly contextLength: number | null;
  readonly params: GenerationParamsInput;
  readonly options: GenerateOptions;
}

interface Parts {
  readonly container: Container;
  readonly runs: (options: { below: number; run: number }) => LogitsProcessor;
}

/** What parts.mjs gives. */
interface PartsModule {
  readonly tokenizer: Tokenizer;
  scriptedModel(from: typeof library, contextLength: number): LanguageModel;
  createParts(from: typeof library, ...modules: ContainerModule[]): Parts;
  requestOf(from: typeof library, parts: Parts, n: number): Request;
}

const FILE = new URL('parts.mjs', import.meta.url).href;
const { createParts, requestOf, scriptedModel, tokenizer } = (await import(FILE)) as PartsModule;
const embedded = await loadEmbedded();
const grammars = await createGrammars({ tokenizer: embedded.tokenizer, endIds: embedded.model.endIds });
const parts = createParts(library, grammarModule(grammars));

/** Knows the processors of the requests. */
export const { container } = parts;

/** Requests to the scripted model, as many as `count`. */
export function scriptedRequests(count: number): Request[] {
  return Array.from({ length: count }, (_, n) => {
    const request = requestOf(library, parts, n);
    return { ...request, options: { ...request.options, container } };
  });
}

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 4 }, years: { type: 'integer', minimum: -9, maximum: 969 } },
  required: ['name', 'years'],
};
const POLICY = [
  { use: 'repetition-penalty', penalty: 1.1 },
  { use: 'temperature', temperature: 1.2 },
  { use: 'top-p', p: 0.95 },
];

/** Requests to the embedded model, three of them with a grammar. */
export const EMBEDDED_REQUESTS: readonly Request[] = [
  { params: { seed: 1, top_p: 0.9, repetition_penalty: 1.2, max_tokens: 9, logprobs: 2, echo: true } },
  { params: { seed: 2, temperature: 0, stop: ['the '], max_tokens: 12 } },
  { params: { seed: 3, temperature: 1.3, min_tokens: 4, logit_bias: { 300: 2 }, max_tokens: 8 } },
  { params: { seed: 4, max_tokens: 30 }, chain: [{ use: 'grammar', json_schema: SCHEMA }, ...POLICY] },
  { params: { seed: 5, max_tokens: 12, logprobs: 2 }, chain: [{ use: 'grammar', regex: '(é|中|😀){2,3}' }, ...POLICY] },
  {
    params: { seed: 6, stop: ['9,'] },
    chain: [{ use: 'grammar', ebnf: 'root ::= [0-9] ("," [0-9]){2,12}' }, ...POLICY],
  },
].map(({ params, chain }) => ({
  prompt: 'And the king',
  contextLength: null,
  params,
  options: { container, ...(chain && { chain }) },
}));

/** The model and the tokenizer of a request. */
export function modelOf({ contextLength }: Request): { model: LanguageModel; tokenizer: Tokenizer } {
  return contextLength === null ? embedded : { model: scriptedModel(library, contextLength), tokenizer };
}

export function begin(request: Request): Generation {
  const { model, tokenizer: itsTokenizer } = modelOf(request);
  return generate(model, itsTokenizer, request.prompt, request.params, request.options);
}

/** An event without what the clock says. */
export type Timeless = Readonly<Record<string, unknown>>;

export interface Stayed {
  readonly events: readonly Timeless[];
  /** Before each event and after the last, as JSON. */
  readonly states: readonly string[];
}

export async function stay(request: Request): Promise<Stayed> {
  const generation = begin(request);
  const states = [JSON.stringify(generation.save())];
  const events: Timeless[] = [];
  for await (const event of generation) {
    events.push(withoutTiming(event));
    states.push(JSON.stringify(generation.save()));
  }
  return { events, states };
}

export function withoutTiming(event: object): Timeless {
  const { timing: _, ...rest } = event as Timeless;
  return rest;
}

export function parse(state: string): GenerationState {
  return JSON.parse(state) as GenerationState;
}
