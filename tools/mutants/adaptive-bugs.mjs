/**
 * Bugs in the adaptive steps, the rules and the watermarks, in the form of planted-bugs.mjs: a wrong border, a wrong order, a
 * window that is off by one, a state that moves in `process`, and the like. `tests` are the only ones that must notice.
 */
const bug = (id, what, tests, file, find, put) => ({
  id,
  what,
  tests,
  edits: [{ file: `processors/${file}`, find, put }],
});

const ADAPTIVE = 'processors/adaptive';
const RULES = 'processors/rules';
const WATERMARKS = 'processors/watermarks';

export const ADAPTIVE_BUGS = [
  bug(
    'mu-strict',
    'mirostat 2 drops what is exactly on mu',
    ADAPTIVE,
    'adaptive/mirostat-v2.ts',
    'numerics.log2(share) <= mu',
    'numerics.log2(share) < mu',
  ),
  bug(
    'mu-process',
    'mirostat moves mu in process',
    ADAPTIVE,
    'adaptive/mirostat.ts',
    'if (known.length < 2) return;',
    'this.#mu.learn(0, { probability: 0.5 });\n    if (known.length < 2) return;',
  ),
  bug('mu-own', 'mirostat learns q before its cut', ADAPTIVE, 'adaptive/mirostat.ts', "= 'drawn'", "= 'own'"),
  bug('mu-start', 'mu begins at tau', ADAPTIVE, 'adaptive/parts/mu.ts', '2 * options.tau', 'options.tau'),
  bug(
    'zipf-off',
    'the exponent is estimated from one pair too few',
    ADAPTIVE,
    'adaptive/mirostat.ts',
    'i + 1 < q.length',
    'i + 2 < q.length',
  ),
  bug('adaptive-drawn', 'adaptive-p learns q behind it', ADAPTIVE, 'adaptive/adaptive-p.ts', "= 'own'", "= 'drawn'"),
  bug(
    'adaptive-decay',
    'adaptive-p forgets the weight',
    ADAPTIVE,
    'adaptive/adaptive-p.ts',
    '= 1 + decay * this.#weight',
    '= 1 + this.#weight',
  ),
  bug(
    'budget-off',
    'reasoning may be one token longer',
    RULES,
    'rules/thinking-budget.ts',
    'used >= this.options.budget',
    'used > this.options.budget',
  ),
  bug(
    'budget-overlap',
    'a mark that overlaps its own beginning is missed',
    RULES,
    'rules/parts/id-matcher.ts',
    'n = borders[n] as number;',
    'n = 0;',
  ),
  bug(
    'trace-prompt',
    'the trace counts the prompt',
    RULES,
    'rules/forced-trace.ts',
    'history.output.length',
    'history.sequence.length',
  ),
  bug('times-strict', 'times win a tie', RULES, 'rules/whisper-timestamps.ts', 'sum > best', 'sum >= best'),
  bug(
    'times-again',
    'a time may come twice in a text',
    RULES,
    'rules/whisper-timestamps.ts',
    'isTime(id) ? id > last :',
    'isTime(id) ? id >= last :',
  ),
  bug(
    'infill-swap',
    'of equal texts the longer stays',
    RULES,
    'rules/parts/merge-prefixes.ts',
    'q > start.q',
    'q >= start.q',
  ),
  bug(
    'infill-twice',
    'an id that was merged is merged again',
    RULES,
    'rules/parts/merge-prefixes.ts',
    'if (gone.has(start)) break;',
    '',
  ),
  bug(
    'green-order',
    'the context is hashed from the youngest id',
    WATERMARKS,
    'watermarks/parts/green-ids.ts',
    'of context)',
    'of [...context].reverse())',
  ),
  bug(
    'green-width',
    'the context is one id too far back',
    WATERMARKS,
    'watermarks/green-list.ts',
    'sequence.slice(sequence.length - width)',
    'sequence.slice(sequence.length - width - 1, sequence.length - 1)',
  ),
  bug(
    'green-skip',
    'the colour of an id far up is that of its neighbour',
    WATERMARKS,
    'watermarks/parts/green-ids.ts',
    'left = count % 2;',
    'left = 0;',
  ),
  bug(
    'synth-mass',
    'the mass of a round is that of the round before',
    WATERMARKS,
    'watermarks/synth-id.ts',
    '  let mass = 0;\n  for',
    '  let mass = 0.5;\n  for',
  ),
  bug(
    'synth-window',
    'a context is forgotten one token early',
    WATERMARKS,
    'watermarks/synth-id.ts',
    'now - context_history_size,',
    'now - context_history_size + 1,',
  ),
  bug(
    'synth-detector',
    'the detector scores what was not marked',
    WATERMARKS,
    'watermarks/detect-synth-id.ts',
    't - before <= context_history_size',
    't - before < context_history_size',
  ),
];
