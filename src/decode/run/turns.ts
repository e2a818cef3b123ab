/**
 * The events of several generations, one of each that is under way in order, again and again.
 *
 * They share nothing but the turns, so each gives what it gives alone. Where the model says that its sessions may run at
 * once, a round waits for all of them together, else for one after another; the events are made one by one as they are
 * handed out, in either case. One that fails reports its error in its place, and the others go on.
 */
import type { EventIterator } from './event-iterator.js';
import type { EventSource } from './event-source.js';
import type { GenerateEvent } from './events.js';
import type { GroupMembers } from './group-members.js';

/** An event of one of the generations. */
export type GroupEvent = { readonly index: number } & (GenerateEvent | ErrorEvent);

/** A generation ended by an error, or refused; nothing more comes of it. */
export interface ErrorEvent {
  readonly type: 'error';
  readonly error: unknown;
  readonly text: '';
}

interface Turn {
  readonly index: number;
  /** Undefined before the first turn. */
  events?: EventIterator<GenerateEvent>;
  failure?: { readonly reason: unknown };
}

export class Turns implements EventSource<GroupEvent> {
  readonly #members: GroupMembers;
  readonly #atOnce: boolean;
  /** Those who have a turn in this round, and which of them is next. */
  #round: readonly Turn[];
  #at = 0;
  #isAsked = false;
  /** Those who have one in the next round. */
  #later: Turn[] = [];

  /** @param atOnce whether a round waits for all together */
  constructor(members: GroupMembers, atOnce: boolean) {
    this.#members = members;
    this.#atOnce = atOnce;
    this.#round = Array.from({ length: members.count }, (_, index) => ({ index }));
  }

  get isOver(): boolean {
    return this.#at === this.#round.length && this.#later.length === 0;
  }

  async prepare(): Promise<void> {
    if (this.#at === this.#round.length) this.#beginRound();
    if (this.#atOnce && !this.#isAsked) {
      this.#isAsked = true;
      await Promise.all(this.#round.map((turn) => this.#wait(turn)));
    }
    await this.#wait(this.#round[this.#at] as Turn);
  }

  take(): GroupEvent | undefined {
    const turn = this.#round[this.#at] as Turn;
    const { index, events, failure } = turn;
    if (failure !== undefined) {
      this.#at++;
      return { index, type: 'error', error: failure.reason, text: '' };
    }
    const event = events?.take();
    if (event === undefined && !events?.isOver) return undefined; // the same one, once more was waited for
    this.#at++;
    if (event === undefined) return undefined; // another call took the last one
    if (event.type !== 'end') this.#later.push(turn);
    return { index, ...event };
  }

  /** Leaves those that are under way, and frees what they hold. */
  async close(): Promise<void> {
    this.#members.leave();
    const turns = [...this.#round.slice(this.#at), ...this.#later];
    const leave = ({ events }: Turn) => events?.return().catch(() => {}); // the others are left in any case
    if (this.#atOnce) await Promise.all(turns.map(leave));
    else for (const turn of turns) await leave(turn);
  }

  #beginRound(): void {
    this.#round = this.#later;
    this.#later = [];
    this.#at = 0;
    this.#isAsked = false;
  }

  /** Waits for what the next event of `turn` is made of, and remembers what it failed with. */
  async #wait(turn: Turn): Promise<void> {
    if (turn.failure !== undefined) return;
    try {
      turn.events ??= this.#eventsOf(turn.index);
      await turn.events.prepare();
    } catch (reason) {
      turn.failure = { reason };
    }
  }

  #eventsOf(index: number): EventIterator<GenerateEvent> {
    const member = this.#members.at(index);
    if ('refused' in member) throw member.refused;
    return member[Symbol.asyncIterator]();
  }
}
