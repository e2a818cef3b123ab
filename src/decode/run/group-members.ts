/**
 * The generations of a group, each begun when it is first needed.
 */
import type { Generation } from './generation.js';

/** A generation, or why there is none. */
export type GroupMember = Generation | { readonly refused: unknown };

/** What `begin` gives, or why it gives nothing. */
export function beginMember(begin: () => Generation): GroupMember {
  try {
    return begin();
  } catch (refused) {
    return { refused };
  }
}

export class GroupMembers {
  readonly #begin: (index: number) => GroupMember;
  readonly #members: (GroupMember | undefined)[];
  #isLeft = false;

  /** @param begin the member at an index below `count`; asked once for each */
  constructor(count: number, begin: (index: number) => GroupMember) {
    this.#begin = begin;
    this.#members = new Array<undefined>(count).fill(undefined);
  }

  get count(): number {
    return this.#members.length;
  }

  /** All of them, in order. */
  get all(): readonly GroupMember[] {
    return this.#members.map((_, index) => this.at(index));
  }

  at(index: number): GroupMember {
    const known = this.#members[index];
    if (known !== undefined) return known;
    const member = this.#begin(index);
    this.#members[index] = member;
    if (this.#isLeft && !('refused' in member)) void member[Symbol.asyncIterator]().return(); // nothing is open yet
    return member;
  }

  /** Leaves the group: what was not begun can be saved from now on, but does not run. */
  leave(): void {
    this.#isLeft = true;
  }
}
