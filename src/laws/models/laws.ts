/**
 * What a model's sessions must obey: each law by its sentence. Lengths and forms are checked as in every generation
 * (`CheckedSession`); here it is about what can be wrong without an error.
 */
import type { CheckedSession } from '../../model/checked-session.js';
import { demand } from '../law-error.js';
import type { TriedModel } from './tried-model.js';

/** Throws where the model breaks the law; gives why it was not tried, or undefined. */
export type ModelLaw = (tried: TriedModel) => Promise<string | undefined>;

export const MODEL_LAWS: Readonly<Record<string, ModelLaw>> = {
  'the logits are numbers below +Infinity, and not all of them -Infinity': numbers,
  'the same ids give the same logits in every session': again,
  'the same ids give the same logits in whatever portions they come': portions,
  '`appendEach` gives the logits after each id': each,
  '`truncate` forgets what came behind': truncates,
  '`fork` goes its own way': forks,
  'sessions do not disturb one another': apart,
  'ids outside of the vocabulary are refused, and nothing is appended': refusesIds,
  'more ids than the context holds are refused, and nothing is appended': refusesLength,
  'an aborted call appends all of its ids or none': aborts,
};

async function numbers(tried: TriedModel): Promise<undefined> {
  const session = await tried.open();
  for (const id of tried.ids()) {
    const row = await tried.append(session, [id]);
    const wrong = row.findIndex((l) => !(l < Infinity));
    demand(wrong < 0, () => `the logit of id ${wrong} is ${row[wrong]} after ${session.length} ids`);
    demand(
      row.some((l) => l > -Infinity),
      () => `all logits are -Infinity after ${session.length} ids`,
    );
  }
}

async function again(tried: TriedModel): Promise<undefined> {
  const ids = tried.ids();
  tried.demandSame(await tried.after(ids), await tried.after(ids), 'in a second session');
}

async function portions(tried: TriedModel): Promise<undefined> {
  const ids = tried.ids();
  const expected = await tried.after(ids);
  for (const size of [1, 2, 3, ids.length - 1]) {
    const session = await tried.open();
    let row: Float32Array = new Float32Array(0);
    for (let i = 0; i < ids.length; i += size) row = await tried.append(session, ids.slice(i, i + size));
    tried.demandSame(row, expected, `in portions of ${size}`);
    await tried.close(session);
  }
}

async function each(tried: TriedModel): Promise<string | undefined> {
  const session = await tried.open();
  if (session.appendEach === undefined) return 'its sessions have no `appendEach`';
  const ids = tried.ids();
  const one = await tried.open();
  await session.append(ids.slice(0, 2));
  await one.append(ids.slice(0, 2));
  const rows = (await session.appendEach(ids.slice(2))).map((row) => Float32Array.from(row));
  for (const [i, id] of ids.slice(2).entries()) {
    tried.demandSame(rows[i] as Float32Array, await tried.append(one, [id]), `in row ${i} of \`appendEach\``);
  }
  const next = tried.ids(2).slice(1);
  tried.demandSame(await tried.append(session, next), await tried.append(one, next), 'after `appendEach`');
  return undefined;
}

async function truncates(tried: TriedModel): Promise<undefined> {
  const session = await tried.open();
  const ids = tried.ids();
  await session.append(ids);
  for (const kept of [ids.length, ids.length - 1, ids.length >> 1, 1, 0]) {
    await session.truncate(kept);
    const others = tried.ids(3);
    const row = await tried.append(session, others);
    tried.demandSame(row, await tried.after([...ids.slice(0, kept), ...others]), `after \`truncate(${kept})\``);
    await session.truncate(kept);
  }
}

async function forks(tried: TriedModel): Promise<string | undefined> {
  const session = await tried.open();
  if (session.fork === undefined) return 'its sessions have no `fork`';
  const [ids, left, right] = [tried.ids(), tried.ids(3), tried.ids(2)];
  await session.append(ids);
  const fork = await tried.fork(session);
  tried.demandSame(await tried.append(fork, left), await tried.after([...ids, ...left]), 'in a fork');
  tried.demandSame(await tried.append(session, right), await tried.after([...ids, ...right]), 'in what was forked');
  await session.truncate(1);
  const next = tried.ids(1);
  tried.demandSame(
    await tried.append(fork, next),
    await tried.after([...ids, ...left, ...next]),
    'in a fork when the other one was truncated',
  );
  await tried.close(session);
  const last = tried.ids(1);
  tried.demandSame(
    await tried.append(fork, last),
    await tried.after([...ids, ...left, ...next, ...last]),
    'in a fork when the other one was closed',
  );
  return undefined;
}

async function apart(tried: TriedModel): Promise<undefined> {
  const texts = [tried.ids(), tried.ids(), tried.ids()];
  const sessions: CheckedSession[] = [];
  for (const _ of texts) sessions.push(await tried.open());
  let last: { row: Float32Array; copy: Float32Array } | undefined;
  for (let i = 0; i < tried.length; i++) {
    for (const [n, session] of sessions.entries()) {
      const row = await session.append([(texts[n] as number[])[i] as number]);
      if (last !== undefined) tried.demandSame(last.row, last.copy, 'once another session had computed');
      last = { row, copy: Float32Array.from(row) };
      if (i === tried.length - 1) tried.demandSame(row, await tried.after(texts[n] as number[]), 'beside two others');
    }
  }
}

async function refusesIds(tried: TriedModel): Promise<undefined> {
  const { vocabSize } = tried.model;
  for (const id of [vocabSize, -1, 0.5, Number.NaN]) await refuses(tried, [0, id], `the id ${id}`);
}

/** Beyond it, filling a context would take too long. */
const LONGEST = 4096;

async function refusesLength(tried: TriedModel): Promise<string | undefined> {
  const { contextLength } = tried.model;
  if (contextLength > LONGEST) return `a context of ${contextLength} positions is not filled here`;
  await refuses(tried, tried.ids(contextLength), 'one id more than the context holds');
  return undefined;
}

/** Demands that `wrong`, behind other ids, is refused, and that the session goes on as if nothing had been. */
async function refuses(tried: TriedModel, wrong: readonly number[], what: string): Promise<void> {
  const session = await tried.open();
  const [ids, next] = [tried.ids(3), tried.ids(2)];
  await session.append(ids);
  const isRefused = await fails(() => session.append(wrong));
  demand(isRefused, `${what} is taken`);
  demand(session.length === ids.length, () => `the length is ${session.length} after ${what}, not ${ids.length}`);
  tried.demandSame(await tried.append(session, next), await tried.after([...ids, ...next]), `after ${what}`);
  await tried.close(session);
}

async function aborts(tried: TriedModel): Promise<undefined> {
  for (const isEarly of [true, false]) {
    const session = await tried.open();
    const [ids, more, next] = [tried.ids(3), tried.ids(), tried.ids(2)];
    await session.append(ids);
    const controller = new AbortController();
    if (isEarly) controller.abort();
    const call = fails(() => session.append(more, controller.signal));
    controller.abort();
    const taken = (await call) ? [] : more;
    const expected = ids.length + taken.length;
    demand(session.length === expected, () => `the length is ${session.length} after an abort, not ${expected}`);
    const row = await tried.append(session, next);
    tried.demandSame(row, await tried.after([...ids, ...taken, ...next]), 'after an abort');
    await tried.close(session);
  }
}

async function fails(act: () => unknown): Promise<boolean> {
  try {
    await act();
    return false;
  } catch {
    return true;
  }
}
