import type { ProcessorInfo } from '../../processors/processor.js';
import type { core } from '../../processors/zod.js';

/** What the comment of a class says. */
export interface CommentParts {
  readonly rule: string;
  readonly source: string;
  readonly example: string;
  readonly elsewhere: readonly string[];
  readonly differs: readonly string[];
}

export function commentsOf(sources: readonly string[]): Map<string, string>;
export function partsOf(name: string, comments: ReadonlyMap<string, string>): CommentParts;
export function processorPages(
  infos: readonly ProcessorInfo[],
  sources: readonly string[],
  domainOf: (schema: core.$ZodType) => string,
): Map<string, string>;
