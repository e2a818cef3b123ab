/**
 * Writes the tables of docs/guides/profiles.md anew, after a change of a profile. The project must have been built.
 *
 *     node tools/profiles/write.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { domainOf } from '../../dist/processors/domain-of.js';
import { PROFILES } from '../../dist/src/profiles/index.js';
import { withProfiles } from './tables.mjs';

const PAGE = fileURLToPath(new URL('../../docs/guides/profiles.md', import.meta.url));

writeFileSync(PAGE, withProfiles(readFileSync(PAGE, 'utf8'), PROFILES, domainOf));
