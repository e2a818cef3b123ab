/**
 * The deterministic automaton of a rule: from each state, a byte or a called rule leads to one state at most.
 */
import { type ByteEdge, type CallEdge, FINAL, type Nfa, type State } from './nfa.js';

export interface DfaState {
  readonly isFinal: boolean;
  /** Ascending, apart from one another. */
  readonly bytes: readonly ByteEdge[];
  readonly calls: readonly CallEdge[];
}

/** The states, the first of which is the start. */
export type Dfa = readonly DfaState[];

/** Each set of states that the same input leads to becomes one state. */
export function determinize(nfa: Nfa): Dfa {
  const sets: (readonly number[])[] = [];
  const numbers = new Map<string, number>();
  const number = (targets: Iterable<number>): number => {
    const members = closure(nfa, targets);
    const key = members.join(' ');
    const known = numbers.get(key) ?? sets.push(members) - 1;
    numbers.set(key, known);
    return known;
  };
  number([nfa.start]);
  const dfa: DfaState[] = [];
  for (let i = 0; i < sets.length; i++) dfa.push(follow(nfa, sets[i] as readonly number[], number));
  return mergeAlike(dfa);
}

/** What the empty text leads to, ascending, as far as it says something of its own. */
function closure(nfa: Nfa, from: Iterable<number>): readonly number[] {
  const seen = new Set(from);
  for (const state of seen) for (const next of (nfa.states[state] as State).empty) seen.add(next);
  const telling = [...seen].filter((state) => {
    const { bytes, calls } = nfa.states[state] as State;
    return state === FINAL || bytes.length > 0 || calls.length > 0;
  });
  return telling.sort((a, b) => a - b);
}

function follow(nfa: Nfa, members: readonly number[], number: (targets: Iterable<number>) => number): DfaState {
  const states = members.map((member) => nfa.states[member] as State);
  const calls = new Map<string, number[]>();
  for (const { name, to } of states.flatMap((state) => state.calls)) calls.set(name, [...(calls.get(name) ?? []), to]);
  return {
    isFinal: members.includes(FINAL),
    bytes: followBytes(
      states.flatMap((state) => state.bytes),
      number,
    ),
    calls: [...calls].map(([name, targets]) => ({ name, to: number(targets) })),
  };
}

/** Cuts the edges where one of them begins or ends, so that each byte has one set of targets. */
function followBytes(edges: readonly ByteEdge[], number: (targets: Iterable<number>) => number): readonly ByteEdge[] {
  const cuts = [...new Set(edges.flatMap(({ low, high }) => [low, high + 1]))].sort((a, b) => a - b);
  const out: ByteEdge[] = [];
  cuts.slice(0, -1).forEach((low, i) => {
    const targets = edges.filter((edge) => edge.low <= low && low <= edge.high).map((edge) => edge.to);
    if (targets.length > 0) append(out, { low, high: (cuts[i + 1] as number) - 1, to: number(targets) });
  });
  return out;
}

function append(edges: ByteEdge[], edge: ByteEdge): void {
  const last = edges.at(-1);
  if (last?.to === edge.to && last.high + 1 === edge.low) edges[edges.length - 1] = { ...last, high: edge.high };
  else edges.push(edge);
}

/** States from which the same edges lead to the same states are one; each round finds those that the last one made alike. */
function mergeAlike(dfa: Dfa): Dfa {
  let states = dfa;
  for (let before = Infinity; states.length < before; ) {
    before = states.length;
    const numbers = new Map<string, number>();
    const kept: DfaState[] = [];
    const numberOf = states.map((state) => {
      const key = JSON.stringify(state);
      const known = numbers.get(key) ?? kept.push(state) - 1;
      numbers.set(key, known);
      return known;
    });
    states = kept.map((state) => renumber(state, numberOf));
  }
  return states;
}

function renumber({ isFinal, bytes, calls }: DfaState, numberOf: readonly number[]): DfaState {
  const merged: ByteEdge[] = [];
  for (const edge of bytes) append(merged, { ...edge, to: numberOf[edge.to] as number });
  return { isFinal, bytes: merged, calls: calls.map(({ name, to }) => ({ name, to: numberOf[to] as number })) };
}
