/**
 * Where the files of the embedded model are in the package.
 *
 * Each URL is written out in full, because that is the form in which bundlers see a file and take it with them. It is
 * right for what is built (`dist/src/embedded`), which lies one folder deeper than its source.
 */
import { fromSource } from '../files/from-source.js';

/** The files of a model. */
export const MODEL_FILES = ['config.json', 'tokenizer.json', 'weights.safetensors'] as const;
export type ModelFile = (typeof MODEL_FILES)[number];

/** The package's own file of that name. Throws TypeError in a bundle that leaves no `import.meta.url`. */
export function packagedModelFile(name: ModelFile): URL {
  const source = fromSource(import.meta.url, `../../fixtures/model/${name}`);
  if (source !== undefined) return source;
  switch (name) {
    case 'config.json':
      return new URL('../../../fixtures/model/config.json', import.meta.url);
    case 'tokenizer.json':
      return new URL('../../../fixtures/model/tokenizer.json', import.meta.url);
    case 'weights.safetensors':
      return new URL('../../../fixtures/model/weights.safetensors', import.meta.url);
  }
}
