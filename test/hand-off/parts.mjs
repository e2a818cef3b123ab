/**
 * What two processes have in common: a model and a tokenizer of a few tokens, processors of their own, and the requests.
 *
 * Plain JavaScript over the library that is handed in: the test has its sources, the other process what was built of them.
 */
import { ContainerModule } from 'inversify';
import { z } from 'zod';

const TEXTS = [...'abcdefghij', ' ', 'EN', 'D', 'ab', 'é', '中', '😀', '👍🏽', '🇩🇪', '\u200d', 'x\n', 'STOP'];
/** Parts of é, 한 and 🦊, and a byte that is part of nothing. */
const BYTES = [[0xc3], [0xa9], [0xed, 0x95], [0x9c], [0xf0, 0x9f], [0xa6], [0x8a], [0xff]];
const PIECES = [...TEXTS.map((text) => [...new TextEncoder().encode(text)]), ...BYTES];
const END = PIECES.length;
const OTHER_END = END + 1;
const BEGIN = END + 2;
const V = END + 3;

export const tokenizer = {
  vocabSize: V,
  encode: (text) => [...text].map((letter) => TEXTS.indexOf(letter)),
  tokenBytes: (id) => Uint8Array.from(PIECES[id] ?? []),
};

/** Logits that depend on every id of the window, so that a wrong one shows. */
export function scriptedModel({ Pcg32 }, contextLength) {
  const open = () => {
    let ids = [];
    return {
      get length() {
        return ids.length;
      },
      append(more) {
        if (more.length === 0) throw new Error('append of nothing');
        if (ids.length + more.length > contextLength) throw new Error('append beyond the context');
        ids = [...ids, ...more];
        const random = new Pcg32(ids.reduce((hash, id) => (hash * 31 + id + 1) % 1_000_003, 7));
        return Float32Array.from({ length: V }, (_, id) => random.uniform() * 6 - (id >= END ? 2 : 0));
      },
      truncate(length) {
        if (!(length >= 0 && length <= ids.length)) throw new Error(`truncate to ${length} of ${ids.length}`);
        ids = ids.slice(0, length);
      },
    };
  };
  return { vocabSize: V, contextLength, beginId: BEGIN, endIds: [END], open };
}

/**
 * A container that knows a processor with a state and draws of its own, a constraint made from data, and what `modules`
 * add.
 */
export function createParts(library, ...modules) {
  const { Constrained, constraintFrom, createContainer, Processor } = library;
  const { processor, processorModule, processorToken, PARTS } = library;
  class Recent extends Processor {
    #ids = [];

    process(candidates, context) {
      const u = context.uniform();
      for (const id of this.#ids) if (candidates.has(id)) candidates.setLogit(id, candidates.logit(id) - u);
    }

    accept(id) {
      this.#ids = [...this.#ids, id].slice(-this.options.window);
    }

    save() {
      return this.#ids;
    }

    restore(state) {
      this.#ids = [...state];
    }
  }
  processor({ name: 'recent', options: z.strictObject({ window: z.number() }), stage: 'policy', draws: 1 })(Recent);

  /** Runs of ids below `below`, `run` of them and then one above; complete after each whole run. */
  const runs = (options) => {
    const { below, run } = options;
    const all = Array.from({ length: END }, (_, id) => id);
    const allowed = (ids) => {
      const place = ids.length % (run + 1);
      const next = all.filter((id) => (place < run ? id < below : id >= below));
      return place === 0 && ids.length > 0 ? [...next, END] : next;
    };
    return new Constrained(constraintFrom(allowed, [END]), { name: 'runs', options });
  };
  const module = new ContainerModule(({ bind }) => {
    bind(processorToken('runs')).toConstantValue(runs);
    bind(PARTS.processorName).toConstantValue('runs');
  });
  return { container: createContainer(processorModule(Recent), module, ...modules), runs };
}

/** The requests: each has the features that the bits of its number choose. */
export function requestOf(library, { runs }, n) {
  const random = new library.Pcg32(n, 77);
  const pick = (values) => values[random.below(values.length)];
  const params = {
    seed: n % 5 === 0 ? 2n ** 64n - BigInt(n + 1) : n,
    max_tokens: 8 + random.below(9),
    stop: pick([[], ['END'], ['😀', 'ab', 'D'], ['🦊', 'é', 'bc'], ['👍🏽🇩🇪', 'STOPa', 'NN']]),
    logprobs: pick([0, 1, 4]),
    echo: pick([true, false]),
    stop_token_ids: pick([[], [OTHER_END], [3, OTHER_END]]),
  };
  const prompt = Array.from({ length: 1 + random.below(4) }, () => random.below(END));
  const whenFull = pick(['stop', 'stop', 'slide']);
  const contextLength = whenFull === 'slide' ? 7 : pick([14, 40]);
  const common = { prompt, contextLength };
  if (n % 3 === 0) return { ...common, params, options: { whenFull, chain: chainOf(pick, n) } };
  Object.assign(params, pick([{}, { temperature: 0 }, { temperature: 1.4, top_k: 9 }, { top_p: 0.9, min_p: 0.02 }]));
  Object.assign(params, pick([{}, { repetition_penalty: 1.3 }, { presence_penalty: 0.6, frequency_penalty: -0.3 }]));
  Object.assign(params, pick([{}, { logit_bias: { 2: 2.5, 11: 1, [END]: 3 } }]));
  if (n % 3 === 1) return { ...common, params: { ...params, min_tokens: random.below(8) }, options: { whenFull } };
  return { ...common, params, options: { whenFull, before: [runs({ below: 10, run: 1 + (n % 2) })] } };
}

/** Chains as data, some with a state. */
function chainOf(pick, n) {
  const recent = [{ use: 'recent', window: 1 + (n % 4) }];
  const runs = [{ use: 'runs', below: 12, run: 2 }];
  const ngram = [{ use: 'no-repeat-ngram', n: 2 }];
  return [
    ...pick([[], runs, ngram]),
    ...pick([[], [{ use: 'repetition-penalty', penalty: 1.2 }]]),
    { use: 'logprobs' },
    ...pick([recent, [...recent, { use: 'temperature', temperature: 0.8 }]]),
    ...pick([
      [],
      [{ use: 'min-p', m: 0.05 }],
      [
        { use: 'top-k', k: 5 },
        { use: 'recent', window: 2 },
      ],
    ]),
  ];
}
