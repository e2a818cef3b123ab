/**
 * Where two answers differ, in a line that is short enough to act on.
 */
import type { PortAnswer, PortRequest } from './request.js';
import { requestLine } from './request.js';

const SHORT = 2000;

/** The first field and entry in which `actual` differs, with both values; undefined where none does. */
export function difference(actual: PortAnswer, expected: Partial<PortAnswer>): string | undefined {
  if ('error' in actual || 'error' in expected) {
    const both = 'error' in actual && 'error' in expected;
    return both ? undefined : `refused by one: ${JSON.stringify([actual, expected].map(short))}`;
  }
  for (const [name, wanted] of Object.entries(expected)) {
    const found = differingEntry(name, (actual as unknown as Record<string, Entries>)[name], wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Entries = readonly (string | number)[] | string;

function differingEntry(name: string, actual: Entries | undefined, expected: Entries): string | undefined {
  if (typeof actual !== 'object' || typeof expected !== 'object') {
    return actual === expected ? undefined : `${name}: ${actual}, not ${expected}`;
  }
  for (let i = 0; i < Math.max(actual.length, expected.length); i++) {
    if (actual[i] !== expected[i]) return `${name}[${i}]: ${actual[i]}, not ${expected[i]}`;
  }
  return undefined;
}

function short(answer: Partial<PortAnswer>): unknown {
  return 'error' in answer ? answer.error : (answer as { ids?: unknown }).ids;
}

/** The request as a line to give to a port, when it is not too long to print. */
export function describeRequest(request: PortRequest): string {
  const line = requestLine(request);
  return line.length <= SHORT ? line : `V = ${request.logits.length}, ${requestLine({ ...request, logits: [] })}`;
}
