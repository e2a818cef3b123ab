/**
 * Grammars as an EBNF text that xgrammar 0.1.27 gets right: a rule for each state of a deterministic automaton over bytes,
 * such as `root_1 ::= [a-c] root_2 | [\xc2-\xdf] root_3`.
 *
 * What would go wrong otherwise. It takes the ends of a class modulo 256, so that [а-я] is a class of single bytes
 * (mlc-ai/xgrammar #696): as bytes its classes are exact. It turns a class of one character into a text, which is encoded
 * once more, so a single byte is written twice. And it merges states of a rule's automaton that only look alike, so that
 * ([a-c] | "dx") "X" | ([ac] | "dx") "Y" lets bY through (#632, #911): with a rule for each state there is nothing to merge.
 * Rules go on in other rules at their ends, so that what most tokens come to is known when they are compiled.
 */
import type { CodePoints } from './code-points.js';
import { type Dfa, type DfaState, determinize } from './dfa.js';
import { type ByteEdge, Nfa } from './nfa.js';
import { type Node, ROOT, type Rules, set } from './node.js';

export function printEbnf(grammar: Rules): string {
  const sets = new Map<string, { readonly name: string; readonly node: Node }>();
  const calledSet = (points: CodePoints): string => {
    const key = points.join(' ');
    const known = sets.get(key) ?? { name: `wide${sets.size}`, node: set(points) };
    sets.set(key, known);
    return known.name;
  };
  const names = [ROOT, ...[...grammar.called].filter((name) => name !== ROOT && grammar.rules.has(name))];
  const lines = names.flatMap((name) => printRule(name, new Nfa(grammar.rules.get(name) as Node, grammar, calledSet)));
  for (const { name, node } of sets.values()) lines.push(...printRule(name, new Nfa(node, grammar, calledSet)));
  return `${lines.join('\n')}\n`;
}

function printRule(name: string, nfa: Nfa): string[] {
  const dfa = determinize(nfa);
  return dfa.map((state, i) => `${nameOf(name, i)} ::= ${printState(state, name, dfa)}`);
}

function nameOf(rule: string, state: number): string {
  return state === 0 ? rule : `${rule}_${state}`;
}

function printState({ isFinal, bytes, calls }: DfaState, rule: string, dfa: Dfa): string {
  const classes = new Map<number, ByteEdge[]>();
  for (const edge of bytes) classes.set(edge.to, [...(classes.get(edge.to) ?? []), edge]);
  const options = [...classes].map(([to, edges]) => `[${edges.map(printRange).join('')}]${printNext(to, rule, dfa)}`);
  for (const { name, to } of calls) options.push(`${name}${printNext(to, rule, dfa)}`);
  return [...(isFinal ? ['""'] : []), ...options].join(' | ');
}

/** Where it goes on; nothing where the text of the rule is at its end. */
function printNext(to: number, rule: string, dfa: Dfa): string {
  const { bytes, calls } = dfa[to] as DfaState;
  return bytes.length === 0 && calls.length === 0 ? '' : ` ${nameOf(rule, to)}`;
}

function printRange({ low, high }: ByteEdge): string {
  return low === high ? `${escapeByte(low)}${escapeByte(low)}` : `${escapeByte(low)}-${escapeByte(high)}`;
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
