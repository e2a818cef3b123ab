/**
 * Several generations at once: a token of each in turn.
 *
 * They share nothing but the turns, so each gives what it gives alone, whatever runs beside it. One that fails reports its
 * error in its place, and the others go on.
 */
import type { GenerateEvent, GenerateResult } from './events.js';
import type { Generation } from './generation.js';
import { readableStream } from './readable-stream.js';

/** An event of one of the generations. */
export type GroupEvent = { readonly index: number } & (GenerateEvent | ErrorEvent);

/** A generation ended by an error, or refused; nothing more comes of it. */
export interface ErrorEvent {
  readonly type: 'error';
  readonly error: unknown;
  readonly text: '';
}

/** A generation, or why there is none. */
export type GroupMember = Generation | { readonly refused: unknown };

export class GenerationGroup<Result> implements AsyncIterable<GroupEvent>, PromiseLike<Result> {
  /** In the order of the requests; to save one, or to read its seed. */
  readonly members: readonly GroupMember[];
  readonly #settle: (results: readonly PromiseSettledResult<GenerateResult>[]) => Result;
  readonly #events: AsyncGenerator<GroupEvent, void, undefined>;
  #result: Promise<Result> | undefined;

  /** @param settle the result of the group from those of its members; what it throws rejects the promise */
  constructor(
    members: readonly GroupMember[],
    settle: (results: readonly PromiseSettledResult<GenerateResult>[]) => Result,
  ) {
    this.members = members;
    this.#settle = settle;
    this.#events = inTurns(members);
  }

  [Symbol.asyncIterator](): AsyncGenerator<GroupEvent, void, undefined> {
    return this.#events;
  }

  /** The events as a Web stream. Nothing is generated before it is read; cancelling it ends all of them. */
  toReadableStream(): ReadableStream<GroupEvent> {
    return readableStream(this.#events, (event) => event);
  }

  // biome-ignore lint/suspicious/noThenProperty: a group is awaited for its whole texts
  then<A = Result, B = never>(
    onFulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#finish();
    return this.#result.then(onFulfilled, onRejected);
  }

  async #finish(): Promise<Result> {
    for await (const _ of this.#events); // what was not iterated yet
    return this.#settle(await Promise.allSettled(this.members.map(wholeOf)));
  }
}

async function wholeOf(member: GroupMember): Promise<GenerateResult> {
  if ('refused' in member) throw member.refused;
  return member;
}

interface Turn {
  readonly index: number;
  readonly events: AsyncIterator<GenerateEvent, void, undefined>;
}

/** One event of each that is under way, in order, again and again. */
async function* inTurns(members: readonly GroupMember[]): AsyncGenerator<GroupEvent, void, undefined> {
  let turns: Turn[] = [];
  try {
    for (const [index, member] of members.entries()) {
      if ('refused' in member) yield errorEvent(index, member.refused);
      else turns.push({ index, events: member[Symbol.asyncIterator]() });
    }
    while (turns.length > 0) {
      const left: Turn[] = [];
      for (const turn of turns) {
        const event = await nextOf(turn);
        if (event === undefined) continue;
        yield event;
        if (event.type !== 'error') left.push(turn);
      }
      turns = left;
    }
  } finally {
    await Promise.allSettled(turns.map(({ events }) => events.return?.()));
  }
}

async function nextOf({ index, events }: Turn): Promise<GroupEvent | undefined> {
  try {
    const { done, value } = await events.next();
    return done ? undefined : { index, ...value };
  } catch (error) {
    return errorEvent(index, error);
  }
}

function errorEvent(index: number, error: unknown): GroupEvent {
  return { index, type: 'error', error, text: '' };
}
