/**
 * `lockstep/grammar`, as its user calls it.
 */
import { createGrammars } from 'lockstep/grammar';

export const OURS = 'lockstep';

/** The engine over a vocabulary, and what building it took. */
export async function openOurs({ tokenizer, endIds }) {
  const begin = performance.now();
  const grammars = await createGrammars({ tokenizer, endIds });
  const built = { milliseconds: performance.now() - begin, bytes: grammars.memoryBytes };
  let times = 0;
  /** A comment that no other has, so that it is compiled and not remembered. */
  const compile = (schema) => grammars.jsonSchema({ ...schema, $comment: `compiled ${times++}` });
  return {
    name: OURS,
    built,
    takes(schema, ids) {
      try {
        const constraint = compile(schema).constraint();
        constraint.restore(ids);
        constraint.dispose();
        return true;
      } catch {
        return false;
      }
    },
    compile,
    open: (grammar) => place(grammar.constraint()),
    constraint: (grammar) => grammar.constraint(),
  };
}

function place(constraint) {
  return {
    mask: () => constraint.mask(),
    advance: (id) => constraint.advance(id),
    close: () => constraint.dispose(),
  };
}
