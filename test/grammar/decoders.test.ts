/**
 * Grammars under speculation and beams, which go back and forth between places.
 */
import { describe, expect, it } from 'vitest';
import { createContainer, grammarModule } from '../../src/container/index.js';
import { beamSearch } from '../../src/decode/beams/beam-search.js';
import { generateSpeculative } from '../../src/decode/speculation/generate-speculative.js';
import { PromptLookupDrafter } from '../../src/decode/speculation/prompt-lookup-drafter.js';

import { generate } from '../../src/index.js';
import { embeddedGrammars } from './embedded-grammars.js';
import { LANGUAGES } from './languages.js';

const { embedded, grammars } = await embeddedGrammars();

const SHORT = LANGUAGES.filter(({ name }) =>
  ['a date', 'an array of arrays', 'oneOf told apart by a property'].includes(name),
);

describe('under a grammar', () => {
  it.each(SHORT.map((language) => [language.name, language] as const))(
    'speculation writes %s as plain greedy decoding does',
    async (_, { data, holds }) => {
      const { model, tokenizer } = embedded;
      const container = createContainer(grammarModule(grammars));
      const options = {
        chain: [
          { use: 'grammar', ...data },
          { use: 'temperature', temperature: 0 },
        ],
        container,
      };
      const prompt = '[[true,false],[]] {"kind":"dove"} 1611-05-02 ';
      const params = { max_tokens: 24, seed: 1 };
      const plain = await generate(model, tokenizer, prompt, params, options);
      const drafted = await generateSpeculative(model, tokenizer, prompt, params, {
        ...options,
        drafter: new PromptLookupDrafter(),
      });
      expect(drafted.ids).toEqual(plain.ids);
      expect(drafted.text).toBe(plain.text);
      if (plain.finish_reason === 'stop') expect(holds(plain.text)).toBe(true);
    },
  );

  it.each(SHORT.map((language) => [language.name, language] as const))('beams write %s', async (_, { data, holds }) => {
    const { model, tokenizer } = embedded;
    const container = createContainer(grammarModule(grammars));
    const options = { chain: [{ use: 'grammar', ...data }], container, tokenizer };
    const { sequences } = await beamSearch(
      model,
      'And ',
      { num_beams: 3, num_return_sequences: 3, max_tokens: 48 },
      options,
    );
    const ended = sequences.filter(({ finish_reason }) => finish_reason === 'stop');
    expect(ended.length).toBeGreaterThan(0);
    for (const { text } of ended) expect([text, holds(text as string)]).toEqual([text, true]);
  });
});
