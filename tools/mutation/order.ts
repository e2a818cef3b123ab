/** The order of the test files under Stryker, which stops at the first failure: the nearest and quickest ones first. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that are here come as here; then the folders, the files of a folder by name. */
const ORDER = [
  ...['numerics', 'random', 'params'],
  ...['candidates/parts', 'candidates/nucleus', 'candidates/candidate-set', 'candidates/ranks', 'candidates/edits'],
  ...['candidates', 'chain', 'processors', 'sampler', 'container'],
  ...['fuzz', 'spec', 'decode', 'hand-off', 'cases', 'oracle', 'laws'],
];

function place({ moduleId, project }: TestSpecification): number {
  const path = relative(`${project.config.root}/test`, moduleId);
  const at = ORDER.findIndex((start) => path.startsWith(start));
  return at < 0 ? ORDER.length : at;
}

export class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => place(a) - place(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
