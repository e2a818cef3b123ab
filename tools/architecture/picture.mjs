/**
 * The picture of the rooms, as Mermaid, and the table of what they hold, as Markdown.
 *
 * An arrow goes from a room to one whose files it imports. One that follows from two others is left out, and so are those to
 * the ground floor, where every room may go.
 */
import { FLOORS, ROOMS } from './rooms.mjs';

const GROUND = FLOORS[0].name;
const BY_NAME = new Map(ROOMS.map((room) => [room.name, room]));
const UPPER = ROOMS.filter(({ floor }) => floor !== GROUND);

/** Every room that a room reaches, in one step or more. */
function reached(name, found = new Set()) {
  for (const next of BY_NAME.get(name).imports) {
    if (found.has(next)) continue;
    found.add(next);
    reached(next, found);
  }
  return found;
}

/** The imports of a room that do not follow from its others, and do not lead to the ground floor. */
function direct({ imports }) {
  const upper = imports.filter((name) => BY_NAME.get(name).floor !== GROUND);
  return upper.filter((name) => !upper.some((other) => other !== name && reached(other).has(name)));
}

function floor({ name, title }) {
  const rooms = ROOMS.filter((room) => room.floor === name).map((room) => `    ${room.name}`);
  return [`  subgraph ${name}_floor["${title}"]`, ...rooms.reverse(), '  end'];
}

/** The picture, top floor first. */
export function picture() {
  const arrows = UPPER.toReversed().flatMap((room) => direct(room).map((name) => `  ${room.name} --> ${name}`));
  return ['```mermaid', 'flowchart TB', ...FLOORS.toReversed().flatMap(floor), ...arrows, '```'].join('\n');
}

/** The table, ground floor first. */
export function table() {
  const line = ({ name, holds }) => `| ${pathOf(name)} | ${holds} |`;
  return ['| room | holds |', '|---|---|', ...ROOMS.map(line)].join('\n');
}

/** Rooms of one file. */
const FILES = new Set(['version', 'kinds', 'show', 'errors', 'inputs', 'json', 'spec', 'index']);

function pathOf(name) {
  if (name === 'processors') return '`processors/`';
  return FILES.has(name) ? `\`src/${name}.ts\`` : `\`src/${name}/\``;
}

/** `page` with what stands between `<!-- name -->` and `<!-- /name -->` made anew. */
export function withPictures(page) {
  return between(between(page, 'picture', picture()), 'rooms', table());
}

function between(page, name, made) {
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest, ...more] = page.split(from);
  const [old, after, ...again] = rest?.split(to) ?? [];
  if (old === undefined || after === undefined || more.length + again.length > 0) {
    throw new Error(`the page must have ${from} and ${to} once`);
  }
  return `${before}${from}\n${made}\n${to}${after}`;
}
