import { readdirSync } from 'node:fs';
import { withMermaid } from 'vitepress-plugin-mermaid';

const API = new URL('../pages/api/', import.meta.url);

/** The pages of the reference: one an entry of the package. */
function entries() {
  const names = readdirSync(API, { recursive: true }).map((name) => name.replaceAll('\\', '/'));
  const pages = names.filter((name) => name.endsWith('.md') && name !== 'index.md').sort();
  return pages.map((name) => ({
    text: name.replace(/(?:\/index)?\.md$/, ''),
    link: `/api/${name.replace(/\.md$/, '')}`,
  }));
}

const guide = (text, name) => ({ text, link: `/guides/${name}` });

export default withMermaid({
  title: 'Lockstep',
  description: 'The sampling stage of a language model: the same token, to the last bit, in every JavaScript engine.',
  srcDir: 'pages',
  outDir: 'dist',
  markdown: { html: false }, // what stands between < and > in a docstring is a type
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Guides', link: '/guides/decoding' },
      { text: 'Spec', link: '/SPEC' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: [
      { text: 'Start', items: [{ text: 'Lockstep', link: '/' }] },
      {
        text: 'Guides',
        items: [
          guide('Generating text', 'decoding'),
          guide("A processor of one's own", 'own-processor'),
          guide("An engine of one's own", 'own-engine'),
          guide('Masks and grammars', 'masks-and-grammars'),
          guide('Watermarks', 'watermarks'),
          guide('Profiles of other systems', 'profiles'),
          guide('The browser and bundlers', 'browser-and-bundlers'),
          guide('Coming from another system', 'moving-here'),
          guide('The command line', 'command-line'),
          guide('Reproducibility', 'reproducibility'),
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'The spec', link: '/SPEC' },
          { text: 'Exact exp and log', link: '/EXACT-MATH' },
          { text: 'Grammars', link: '/grammars' },
          { text: 'Changelog', link: '/CHANGELOG' },
        ],
      },
      {
        text: 'The project',
        items: [
          { text: 'Architecture', link: '/ARCHITECTURE' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
          { text: 'Security', link: '/SECURITY' },
        ],
      },
      { text: 'API', collapsed: true, items: entries() },
    ],
  },
});
