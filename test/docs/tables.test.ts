/**
 * The tables of the README and of the spec name what the code has: each parameter with its default, each processor with its
 * class, options and stage.
 */
import { describe, expect, it } from 'vitest';
import { PROCESSORS, processorInfo } from '../../processors/index.js';
import { samplingParamsSchema } from '../../src/params/sampling-params.js';
import { type Page, pagesOf } from './markdown.js';

const [README, SPEC] = ['README.md', 'docs/SPEC.md'].flatMap(pagesOf) as [Page, Page];

/** The rows of the table under a heading, each as its cells without code marks. */
function tableUnder(page: Page, heading: string): string[][] {
  const section = page.text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim());
  return lines.slice(2).map(cells);
}

const DEFAULTS: Readonly<Record<string, unknown>> = samplingParamsSchema.parse({});
const NAMES = Object.keys(samplingParamsSchema.shape);

describe('the table of parameters', () => {
  it('of the README has each one with its default', () => {
    const shown = tableUnder(README, 'Parameters').map(([name, value]) => [name, value]);
    const defaultOf = (name: string) =>
      DEFAULTS[name] === undefined ? 'chosen and reported' : JSON.stringify(DEFAULTS[name]);
    expect(shown).toEqual(NAMES.map((name) => [name, defaultOf(name)]));
  });

  it('of the spec has each one with its default', () => {
    const shown = tableUnder(SPEC, 'Parameters').map(([name, , value]) => [name, value]);
    const words: Readonly<Record<string, string>> = { seed: 'none', stop: 'empty list' };
    expect(shown).toEqual(NAMES.map((name) => [name, words[name] ?? JSON.stringify(DEFAULTS[name])]));
  });
});

describe('the table of processors', () => {
  it('of the README has each one with its class, options and stage', () => {
    const shown = tableUnder(README, 'Processors').map(([name, target, , options, stage]) =>
      [name, target, options, stage].join(' '),
    );
    const expected = PROCESSORS.map((target) => {
      const { name, options, stage } = processorInfo(target);
      return [name, target.name, Object.keys(options.shape).join(', '), stage].join(' ');
    });
    expect([...shown].sort()).toEqual([...expected].sort());
  });
});
