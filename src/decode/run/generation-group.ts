/**
 * Several generations at once: a token of each in turn.
 */
import { EventIterator } from './event-iterator.js';
import type { GenerateResult } from './events.js';
import type { GroupMember, GroupMembers } from './group-members.js';
import { readableStream } from './readable-stream.js';
import { type GroupEvent, Turns } from './turns.js';

/** The result of a group from those of its members; what it throws rejects the promise. */
type Settle<Result> = (results: readonly PromiseSettledResult<GenerateResult>[]) => Result;

export class GenerationGroup<Result> implements AsyncIterable<GroupEvent>, PromiseLike<Result> {
  readonly #members: GroupMembers;
  readonly #settle: Settle<Result>;
  readonly #events: EventIterator<GroupEvent>;
  #result: Promise<Result> | undefined;

  /** @param atOnce whether sessions of the model may run at once */
  constructor(members: GroupMembers, atOnce: boolean, settle: Settle<Result>) {
    this.#members = members;
    this.#settle = settle;
    this.#events = new EventIterator(new Turns(members, atOnce));
  }

  /** In the order of the requests; to save one, or to read its seed. Those that had no turn yet are made ready to run. */
  get members(): readonly GroupMember[] {
    return this.#members.all;
  }

  [Symbol.asyncIterator](): EventIterator<GroupEvent> {
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
