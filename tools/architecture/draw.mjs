/** Draws the picture and the table of docs/ARCHITECTURE.md anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withPictures } from './picture.mjs';

const PAGE = new URL('../../docs/ARCHITECTURE.md', import.meta.url);
writeFileSync(PAGE, withPictures(readFileSync(PAGE, 'utf8')));
