/** The guide on profiles says what the profiles say. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { domainOf } from '../../processors/domain-of.js';
import { PROFILES } from '../../src/profiles/index.js';
import { withProfiles } from '../../tools/profiles/tables.mjs';
import { ROOT } from './markdown.js';

describe('the guide on profiles', () => {
  const page = readFileSync(`${ROOT}/docs/guides/profiles.md`, 'utf8');

  it('is made from the profiles: after a change of one, node tools/profiles/write.mjs', () => {
    expect(page).toBe(withProfiles(page, PROFILES, domainOf));
    for (const { name } of PROFILES) expect(page).toContain(`\n### ${name}\n`);
  });

  it('is refused for a page that has no place for them', () => {
    expect(() => withProfiles('# a page', PROFILES, domainOf)).toThrow('<!-- profiles -->');
  });
});
