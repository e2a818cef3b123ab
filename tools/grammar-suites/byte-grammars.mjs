/**
 * JSON schemas as grammars over single bytes, and texts held against them as a model would write them: a byte at a time,
 * each of them only where the mask allows it.
 */
import { createEngine } from '../../dist/src/grammar/engine/engine.js';
import { Grammar } from '../../dist/src/grammar/grammar.js';
import { schemaSource } from '../../dist/src/grammar/language/source.js';
import { canBeWritten } from './writing.mjs';

const END = 256;
const tokenizer = {
  vocabSize: 257,
  encode: (text) => [...new TextEncoder().encode(text)],
  tokenBytes: (id) => (id === END ? new Uint8Array() : Uint8Array.of(id)),
};
const engine = await createEngine({ tokenizer, endIds: [END] });

/** A constraint of `schema`, or why there is none: `{ constraint }` or `{ refused }`. */
export function compile(schema) {
  try {
    return { constraint: new Grammar(engine, schemaSource(schema)).constraint() };
  } catch (error) {
    return { refused: reason(error) };
  }
}

/** Whether `value`, its keys in the schema's order or another, can be written: `yes`, `no`, or why the engine ended. */
export function verdict(constraint, value) {
  try {
    return canBeWritten(constraint, value) ? 'yes' : 'no';
  } catch (error) {
    return reason(error);
  }
}

/** In short, so that equal reasons are counted together: the keyword, or what the engine says without the schema's names. */
function reason({ parameter, domain, message }) {
  const engineSays = /\((?<what>[^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(domain ?? '')?.groups.what;
  if (domain === undefined || parameter === 'grammar') return `the engine: ${plain(engineSays ?? message)}`;
  const place = parameter.split('/');
  const keyword =
    place.includes('patternProperties') && place.at(-2) === 'patternProperties' ? place.at(-2) : place.at(-1);
  if (keyword === 'format') return '`format`: of another name';
  const isWhole = place.length === 1 || !/^[$a-zA-Z]+$/.test(keyword);
  return `${isWhole ? '' : `\`${keyword}\`: `}${plain(domain)}`;
}

/** Names and numbers of a schema are left out. */
function plain(message) {
  return message
    .replace(/\(.*$/s, '')
    .replace(/\/.*$/s, '')
    .replace(/"[^"]*"|'[^']*'/g, '…')
    .trim();
}
