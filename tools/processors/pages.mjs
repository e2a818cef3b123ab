/**
 * The pages of docs/processors, from the classes: what the comment of each says, its options, and its names elsewhere.
 */
import { FOREIGN_NAMES } from './foreign-names.mjs';

const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*@processor\(\{\s*name: '([a-z0-9-]+)'/g;
/** What may begin a part of a comment. `Differs from …` and `Elsewhere: …` may follow another one in its line. */
const PART = /(?=\bSource: |\bElsewhere: |\bDiffers from |\bExample: )/;

/** The comment of each processor class in `sources`, by name: lines without their stars. */
export function commentsOf(sources) {
  const comments = sources.flatMap((text) => [...text.matchAll(COMMENT)]);
  return new Map(comments.map(([, comment, name]) => [name, comment.replace(/^ *\* ?/gm, '').trim()]));
}

/** The pages, by file name: README.md, and one a processor. */
export function processorPages(infos, sources, domainOf) {
  const comments = commentsOf(sources);
  const pages = infos.map((info) => [`${info.name}.md`, pageOf(info, partsOf(info.name, comments), domainOf)]);
  return new Map([['README.md', indexOf(infos, comments)], ...pages]);
}

/** Rule, source, names elsewhere, differences and example. Throws where a comment lacks the first, the second or the last. */
export function partsOf(name, comments) {
  const comment = comments.get(name);
  if (comment === undefined) throw new Error(`${name} has no comment before @processor`);
  const [rule, ...parts] = comment.split(PART).map((part) => part.trim());
  const of = (label) => parts.filter((part) => part.startsWith(label)).map((part) => oneLine(part.slice(label.length)));
  const [source] = of('Source: ');
  const [example] = of('Example: ');
  if (!rule || !source || !example) throw new Error(`${name} does not say its rule, its source and an example`);
  return { rule, source, example, elsewhere: of('Elsewhere: '), differs: of('Differs from ') };
}

function pageOf({ name, stage, draws = 0, options }, { rule, source, example, elsewhere, differs }, domainOf) {
  const fields = Object.entries(options.shape).map(
    ([field, schema]) => `| \`${field}\` | ${cell(domainOf(schema))} | ${defaultOf(schema)} |`,
  );
  const foreign = namesOf(name).map(([there, system]) => `\`${there}\` (${system})`);
  return [
    `# ${name}`,
    '',
    rule,
    '',
    `It is a step of the stage \`${stage}\`, and draws ${draws === 0 ? 'nothing' : `${draws} uniform a token`}.`,
    ...(fields.length > 0 ? ['', '## Options', '', '| option | values | default |', '|---|---|---|', ...fields] : []),
    ...['', '## Example', '', '```json', example, '```', '', '## Source', '', source],
    ...(elsewhere.length + foreign.length > 0 ? ['', '## Names elsewhere', ''] : []),
    ...elsewhere.map((names) => `- ${names}`),
    ...(foreign.length > 0 ? [`- ${foreign.join(', ')}`] : []),
    ...(differs.length > 0 ? ['', '## Differences', '', ...differs.map((line) => `- from ${line}`)] : []),
    '',
  ].join('\n');
}

function indexOf(infos, comments) {
  const rows = infos.map(({ name, stage }) => {
    const [first] = partsOf(name, comments).rule.split('\n\n');
    return `| [${name}](${name}.md) | \`${stage}\` | ${cell(oneLine(first))} |`;
  });
  const foreign = [...FOREIGN_NAMES]
    .sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    .map(([there, system, name]) => `| \`${there}\` | ${system} | [${name}](${name}.md) |`);
  return [
    '# The processors',
    '',
    'A page for each, made from the comments and the schemas of the classes by `tools/processors/write.mjs`.',
    '',
    '| processor | stage | what it does |',
    '|---|---|---|',
    ...rows,
    '',
    '## Names elsewhere',
    '',
    'The rules may differ in their ties and at their boundaries: each page says how.',
    '',
    '| there | in | here |',
    '|---|---|---|',
    ...foreign,
    '',
  ].join('\n');
}

function namesOf(name) {
  return FOREIGN_NAMES.filter(([, , ours]) => ours === name);
}

function defaultOf(schema) {
  const { defaultValue } = schema._zod.def;
  return defaultValue === undefined ? '' : `\`${JSON.stringify(defaultValue)}\``;
}

function oneLine(text) {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** A text within a table. */
function cell(text) {
  return text.replaceAll('|', '\\|');
}
