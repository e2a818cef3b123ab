import type { core } from '../../processors/zod.js';
import type { Profile } from '../../src/profiles/profile.js';

export function withProfiles(
  page: string,
  profiles: readonly Profile[],
  domainOf: (schema: core.$ZodType) => string,
): string;
