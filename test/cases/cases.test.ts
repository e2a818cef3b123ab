/**
 * The list of public bug reports itself: complete, described, and able to fail.
 */
import { describe, expect, it } from 'vitest';
import { cases, faultsOf, readme, type TextValues } from './case-file.js';
import { uselessFaults } from './differences.js';

const included = readme.slice(readme.indexOf('## The cases'), readme.indexOf('## Left out'));
const leftOut = readme.slice(readme.indexOf('## Left out'));

describe('the public bug reports', () => {
  it('have a number each', () => {
    expect(new Set(cases.map(({ number }) => number)).size).toBe(cases.length);
    for (const { number } of cases) expect(number).toMatch(/^B[0-9]{2}$/);
  });

  it('stand in the README with their addresses, and no others', () => {
    const rows = included.match(/^\| B.*$/gm) ?? [];
    expect(rows.map((row) => row.slice(2, 5))).toEqual(cases.map(({ number }) => number));
    cases.forEach(({ addresses, kind }, i) => {
      expect(rows[i]).toContain(kind);
      for (const address of addresses) expect(rows[i]).toContain(`[${address}](${url(address)})`);
    });
  });

  it('are not among those left out', () => {
    for (const { number } of cases) expect(leftOut).not.toContain(number);
  });

  it('have checks that differ in name', () => {
    for (const one of cases) {
      if (!('checks' in one)) continue;
      const names = one.checks.map(({ when }) => when);
      expect(new Set(names).size, one.number).toBe(names.length);
      if (names.length > 1) expect(names, one.number).not.toContain(undefined);
    }
  });
});

describe('what the faults give', () => {
  for (const one of cases) {
    if (one.test === 'token') {
      it(`${one.number} differs from what is right`, () => {
        expect(one.checks.flatMap(uselessFaults)).toEqual([]);
        expect(one.checks.some(({ fault }) => fault !== undefined)).toBe(true);
      });
    }
    if (one.test === 'text') {
      it(`${one.number} differs from what is right`, () => {
        const faults = one.checks.flatMap((check) => faultsOf(check).map((fault) => [check.right, fault] as const));
        expect(faults.length).toBeGreaterThan(0);
        for (const [right, fault] of faults) expect(sharedValues(right, fault)).toEqual([]);
      });
    }
  }
});

/** The values of a fault that are also the right ones. */
function sharedValues(right: TextValues, fault: TextValues): string[] {
  const names = Object.keys(fault) as (keyof TextValues)[];
  return names.filter((name) => JSON.stringify(fault[name]) === JSON.stringify(right[name]));
}

/** `owner/name#1` as an address; GitHub leads from an issue's address to a pull request's. */
function url(address: string): string {
  const [repository, number] = address.split('#');
  return `https://github.com/${repository}/issues/${number}`;
}
