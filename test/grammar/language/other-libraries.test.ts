/**
 * Schemas of libraries that follow Standard JSON Schema: one of these schemas is made here, as strict as the real ones.
 */
import { describe, expect, it } from 'vitest';
import { schemaSource, toolSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Language, thrownBy } from './languages.js';

const TARGETS = ['draft-2020-12', 'draft-07', 'openapi-3.0'];

/** A schema of a library `arkvali`, whose input and output differ; it throws for targets that it does not know. */
class StandardSchema {
  readonly #output: object | Error;
  readonly asked: unknown[] = [];

  constructor(output: object | Error) {
    this.#output = output;
  }

  get '~standard'() {
    return {
      version: 1,
      vendor: 'arkvali',
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: () => this.#convert({ type: 'string' }),
        output: (options: { target: string }) => {
          this.asked.push(options);
          if (!TARGETS.includes(options.target)) throw new Error(`unknown target ${options.target}`);
          return this.#convert(this.#output);
        },
      },
    };
  }

  #convert(result: object | Error): object {
    if (result instanceof Error) throw result;
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...result };
  }
}

describe('a schema of another library', () => {
  it('is that of its output, in draft 2020-12', () => {
    const schema = new StandardSchema({ type: 'integer', minimum: 3 });
    expect(new Language(schemaSource(schema)).having(['2', '3', '"a"'])).toEqual(['3']);
    expect(schema.asked).toEqual([{ target: 'draft-2020-12' }]);
  });

  it('may be a function, as those of some libraries are', () => {
    const callable = Object.defineProperty(() => {}, '~standard', {
      value: new StandardSchema({ type: 'null' })['~standard'],
    });
    expect(new Language(schemaSource(callable)).having(['null', '1'])).toEqual(['null']);
  });

  it('is refused with the reason that the library gives', () => {
    const error = thrownBy(() => schemaSource(new StandardSchema(new Error('dates are no JSON'))));
    expect(error).toBeInstanceOf(InvalidValueError);
    expect(error).toMatchObject({
      parameter: 'json_schema',
      domain: 'a schema that JSON Schema can say (dates are no JSON)',
    });
  });

  it('without a JSON schema is refused, as a function that is none', () => {
    const plain = Object.defineProperty(() => {}, '~standard', {
      value: { version: 1, vendor: 'x', validate: () => ({}) },
    });
    expect(thrownBy(() => schemaSource(plain))).toMatchObject({ parameter: 'json_schema', domain: 'a JSON value' });
    expect(thrownBy(() => schemaSource(() => 1))).toMatchObject({ parameter: 'json_schema', domain: 'a JSON value' });
  });

  it('may be that of a tool', () => {
    const parameters = new StandardSchema({ type: 'object', properties: { n: { type: 'null' } }, required: ['n'] });
    const language = new Language(toolSource([{ name: 'f', parameters }]));
    expect(language.has('{"name":"f","arguments":{"n":null}}')).toBe(true);
  });
});
