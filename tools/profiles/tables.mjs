/**
 * The tables of docs/guides/profiles.md, from the profiles themselves.
 */

const MARK = /(<!-- profiles -->\n)[\s\S]*(<!-- end of profiles -->)/;

/**
 * `page` with what `profiles` say between its marks.
 */
export function withProfiles(page, profiles, domainOf) {
  if (!MARK.test(page)) throw new Error('the page has no place for the profiles: <!-- profiles --> and its end');
  return page.replace(
    MARK,
    (_, begin, end) => `${begin}\n${profiles.map((one) => sectionOf(one, domainOf)).join('\n')}\n${end}`,
  );
}

function sectionOf({ name, system, differs, params, refused }, domainOf) {
  const rows = Object.entries(params).map(([param, { schema, help, also = [] }]) => {
    const names = [param, ...also].map((one) => `\`${one}\``).join(', ');
    return `| ${names} | ${cell(domainOf(schema))} | ${defaultOf(schema)} | ${cell(help)} |`;
  });
  const reasons = Object.entries(refused).map(([param, why]) => `| \`${param}\` | ${cell(why)} |`);
  return [
    `### ${name}`,
    '',
    `${system}.`,
    '',
    ...differs.map((line) => `- ${line}`),
    '',
    '| parameter | values | default | what it does |',
    '|---|---|---|---|',
    ...rows,
    '',
    '| refused | because |',
    '|---|---|',
    ...reasons,
    '',
  ].join('\n');
}

function defaultOf(schema) {
  const { defaultValue } = schema._zod.def;
  return defaultValue === undefined ? '' : `${defaultValue}`;
}

/** A text within a table. */
function cell(text) {
  return text.replaceAll('|', '\\|');
}
