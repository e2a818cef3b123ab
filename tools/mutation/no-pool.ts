/** Takes the place of the worker threads in the table of the fuzz under Stryker. */
import type { Subject } from '../../test/fuzz/subject.js';

export const WORKERS: readonly Subject[] = [];
