/**
 * The rooms of the house: each folder of `src`, each file right in it, and `processors`; what a room holds, and which other
 * rooms its files import.
 *
 * A room imports only rooms that stand before it in this list, so that no import goes back up and none makes a circle.
 * test/architecture.test.ts holds the source to it, to the letter: an import that is not listed fails, and so does one that
 * is listed and no longer there. The picture in docs/ARCHITECTURE.md is drawn from it (`node tools/architecture/draw.mjs`).
 */

/** The floors, from the ground up. */
export const FLOORS = [
  { name: 'ground', title: 'Checks and errors: every room may use them' },
  { name: 'exact', title: 'Exact numbers' },
  { name: 'policy', title: 'Policy, and its parameters' },
  { name: 'core', title: 'One token' },
  { name: 'request', title: 'Requests put together' },
  { name: 'text', title: 'Models and text' },
  { name: 'outside', title: 'What a user meets' },
];

const CHECKS = ['kinds', 'errors', 'inputs'];

/** The rooms, from the ground up. */
export const ROOMS = [
  { name: 'version', floor: 'ground', holds: 'the version of the package', imports: [] },
  {
    name: 'kinds',
    floor: 'ground',
    holds: 'what kind of value something is, also when it comes from another realm',
    imports: [],
  },
  { name: 'sha256', floor: 'ground', holds: 'SHA-256', imports: [] },
  { name: 'show', floor: 'ground', holds: 'any value as a short text, for messages', imports: ['kinds'] },
  { name: 'errors', floor: 'ground', holds: 'the two errors, with their one phrasing', imports: ['show'] },
  {
    name: 'inputs',
    floor: 'ground',
    holds: 'checks of arguments: numbers, ids, lists, functions',
    imports: ['kinds', 'errors'],
  },
  {
    name: 'logits',
    floor: 'ground',
    holds: "the model's logits, and what is none",
    imports: ['kinds', 'errors', 'inputs'],
  },
  { name: 'json', floor: 'ground', holds: 'values that JSON keeps', imports: ['kinds', 'errors', 'inputs'] },

  {
    name: 'numerics',
    floor: 'exact',
    holds: 'exp, log and fma to the bit; the passes over a vocabulary, and what proved bounds decide',
    imports: CHECKS,
  },
  { name: 'ranking', floor: 'exact', holds: 'logits in order: sorted, or the best of them', imports: ['numerics'] },
  { name: 'random', floor: 'exact', holds: 'PCG32, streams, seeds', imports: [...CHECKS, 'numerics'] },

  {
    name: 'processors',
    floor: 'policy',
    holds: 'the contract of a step, and the steps that Lockstep ships',
    imports: [...CHECKS, 'numerics', 'random'],
  },
  {
    name: 'options',
    floor: 'policy',
    holds: 'options of functions, with the names that they know',
    imports: [...CHECKS, 'processors'],
  },
  {
    name: 'params',
    floor: 'policy',
    holds: 'the parameters of a request: one schema',
    imports: ['errors', 'processors', 'random'],
  },

  {
    name: 'candidates',
    floor: 'core',
    holds: 'l, K, ranks and probabilities of one token; the scores',
    imports: [...CHECKS, 'logits', 'numerics', 'ranking', 'processors'],
  },
  {
    name: 'chain',
    floor: 'core',
    holds: 'steps in an order: any, or that of the spec; chains as data',
    imports: [...CHECKS, 'show', 'json', 'sha256', 'options', 'processors', 'params', 'candidates'],
  },
  {
    name: 'sampler',
    floor: 'core',
    holds: 'one request: generator, history, inverse CDF, state; the trace',
    imports: [...CHECKS, 'show', 'logits', 'numerics', 'random', 'options', 'processors', 'candidates', 'chain'],
  },
  {
    name: 'spec',
    floor: 'core',
    holds: 'the eight functions of the contract',
    imports: ['errors', 'logits', 'numerics', 'random', 'params', 'candidates', 'chain', 'sampler'],
  },

  {
    name: 'core',
    floor: 'core',
    holds: 'the door `lockstep/core`: what is put together by hand',
    imports: ['random', 'params', 'logits', 'candidates', 'chain', 'sampler'],
  },

  {
    name: 'request',
    floor: 'request',
    holds:
      'how a sampler is put together from its parameters, out of the parts that Lockstep ships or a container holds',
    imports: [...CHECKS, 'numerics', 'random', 'options', 'processors', 'params', 'chain', 'sampler'],
  },
  {
    name: 'profiles',
    floor: 'request',
    holds: "named chains that reproduce another system's rules and order",
    imports: ['errors', 'processors', 'params', 'chain'],
  },
  {
    name: 'schemas',
    floor: 'request',
    holds: 'JSON Schemas of processors and chains',
    imports: ['errors', 'inputs', 'processors', 'chain'],
  },
  {
    name: 'container',
    floor: 'request',
    holds: 'the parts of samplers in a container, where each can be replaced',
    imports: ['kinds', 'errors', 'processors', 'chain', 'request'],
  },
  {
    name: 'workers',
    floor: 'request',
    holds: 'a pool of threads for long rows',
    imports: [...CHECKS, 'random', 'options', 'params', 'sampler', 'request'],
  },

  { name: 'files', floor: 'text', holds: 'bytes of files, by URL', imports: ['errors'] },
  {
    name: 'model',
    floor: 'text',
    holds: 'the interfaces of model and tokenizer, with their checks',
    imports: [...CHECKS, 'processors'],
  },
  {
    name: 'embedded',
    floor: 'text',
    holds: 'a small model with its tokenizer, the same to the bit everywhere',
    imports: [...CHECKS, 'sha256', 'numerics', 'options', 'processors', 'files', 'model'],
  },
  {
    name: 'decode',
    floor: 'text',
    holds: 'generation, stop strings, beams, speculation',
    imports: [
      ...CHECKS,
      ...[
        'numerics',
        'random',
        'options',
        'processors',
        'params',
        'logits',
        'candidates',
        'chain',
        'sampler',
        'request',
        'model',
      ],
    ],
  },
  {
    name: 'grammar',
    floor: 'text',
    holds: 'texts within a schema, a regular expression or a grammar',
    imports: [...CHECKS, 'show', 'options', 'processors', 'files', 'model', 'decode'],
  },

  {
    name: 'verify',
    floor: 'outside',
    holds: 'whether this engine gives the bits that it must',
    imports: [
      ...CHECKS,
      ...[
        'version',
        'numerics',
        'random',
        'options',
        'processors',
        'params',
        'logits',
        'candidates',
        'chain',
        'sampler',
      ],
      ...['files', 'embedded', 'grammar'],
    ],
  },
  {
    name: 'laws',
    floor: 'outside',
    holds: "what every processor and every model must obey, for those of one's own",
    imports: [
      'errors',
      'inputs',
      'show',
      ...['numerics', 'random', 'options', 'processors', 'candidates', 'sampler', 'model'],
    ],
  },
  {
    name: 'cli',
    floor: 'outside',
    holds: 'the command line',
    imports: [
      ...['version', 'errors', 'numerics', 'random', 'processors', 'params', 'logits', 'chain', 'sampler'],
      ...['request', 'profiles', 'embedded', 'decode', 'grammar', 'verify'],
    ],
  },
  {
    name: 'index',
    floor: 'outside',
    holds: 'the door `lockstep`: what most people need',
    imports: ['version', 'errors', 'processors', 'params', 'chain', 'sampler', 'request', 'model', 'decode'],
  },
];
