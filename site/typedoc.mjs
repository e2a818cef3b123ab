/**
 * The API reference: every entry of the package, from the docstrings of its source.
 */
import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** Each entry: as it is imported, and its source. */
const entries = Object.entries(exports)
  .filter(([, { types }]) => types !== undefined)
  .map(([name, { types }]) => [
    name.replace(/^\./, 'lockstep'),
    types.replace('./dist/', '../').replace(/\.d\.ts$/, '.ts'),
  ]);

/** Names each module as it is imported; typedoc takes the folder. */
function namesOfEntries(app) {
  app.converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) {
      const [file] = module.sources ?? [];
      const [name] = entries.find(([, source]) => file?.fullFileName.endsWith(source.slice(2))) ?? [];
      if (name !== undefined) module.name = name;
    }
  });
}

export default {
  name: 'API',
  entryPoints: entries.map(([, source]) => source),
  tsconfig: '../tsconfig.build.json',
  basePath: '..',
  out: 'pages/api',
  plugin: ['typedoc-plugin-markdown', namesOfEntries],
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  readme: 'none',
  disableSources: false,
  excludePrivate: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  validation: { notExported: false },
};
