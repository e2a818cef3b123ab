/**
 * Exclusive bounds of numbers, next to which the engine alone would allow the bound itself.
 */
import { describe, expect, it } from 'vitest';
import { schemaSource } from '../../../src/grammar/language/source.js';
import { Language } from './languages.js';

const TEXTS = [
  '-4',
  '-3.5',
  '-3.1',
  '-3',
  '-3.0',
  '-0.5',
  '-0.1',
  '-0',
  '0',
  '0.0',
  '0.001',
  '0.1',
  '0.5',
  '0.6',
  '0.999',
].concat(['1', '1.0', '1.25', '2', '9.5', '10']);
const BOUNDS = [-3.5, -3, -0.5, 0, 0.1, 0.5, 1, 1.25, 10];

describe('an exclusive bound', () => {
  it('is not allowed itself, however near the other one is', () => {
    for (const low of BOUNDS) {
      for (const high of [...BOUNDS.filter((bound) => bound > low), Number.POSITIVE_INFINITY]) {
        const most = high === Number.POSITIVE_INFINITY ? {} : { exclusiveMaximum: high };
        const language = new Language(schemaSource({ type: 'number', exclusiveMinimum: low, ...most }));
        const right = TEXTS.filter((text) => low < Number(text) && Number(text) < high);
        const plain = right.filter((text) => String(Number(text)) === text);
        const having = language.having(TEXTS);
        expect({ low, high, wrong: having.filter((text) => !right.includes(text)) }).toEqual({ low, high, wrong: [] });
        expect({ low, high, having }).toEqual({ low, high, having: expect.arrayContaining(plain) });
        language.dispose();
      }
    }
  });

  it.each([
    [{ type: 'number', allOf: [{ exclusiveMinimum: 0 }, { maximum: 0.5 }] }],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 }],
    [{ $ref: '#/$defs/a', maximum: 0.5, $defs: { a: { type: 'number', exclusiveMinimum: 0, minimum: -1 } } }],
    [{ exclusiveMinimum: 0, maximum: 0.5, type: ['number', 'null'] }],
  ])('is not allowed either where the other one stands elsewhere, or is written as in draft 4: %j', (schema) => {
    const language = new Language(schemaSource(schema));
    expect(language.having(['0', '0.0', '0.001', '0.1', '0.5', '0.6', '-0.1'])).toEqual(['0.001', '0.1', '0.5']);
  });

  it('of integers is counted', () => {
    const language = new Language(schemaSource({ type: 'integer', exclusiveMinimum: -2, exclusiveMaximum: 2 }));
    expect(language.having(['-2', '-1', '0', '1', '2', '0.5'])).toEqual(['-1', '0', '1']);
  });

  it('beside a nearer inclusive one says nothing', () => {
    const language = new Language(schemaSource({ type: 'number', exclusiveMinimum: 0, minimum: 0.25, maximum: 0.5 }));
    expect(language.having(['0', '0.1', '0.25', '0.5'])).toEqual(['0.25', '0.5']);
  });
});
