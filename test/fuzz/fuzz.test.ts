/**
 * Every export, every parameter and every field of options against every bad value.
 */
import { describe, expect, it } from 'vitest';
import { departuresOf } from './departures.js';
import { SUBJECTS } from './tables/index.js';

describe('bad values', () => {
  it.each(SUBJECTS.map((subject) => [subject.of, subject] as const))('are refused by %s', async (_, subject) => {
    const departures = await departuresOf(subject);
    if (departures.length > 0) expect.fail(`\n${departures.join('\n')}`); // all of them, not the beginning of a list
  });
});
