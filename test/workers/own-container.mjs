/** A container with processors of its own, as a user's module would export it. */
import { ContainerModule } from 'inversify';
import { TOKENS } from '../../dist/processors/index.js';
import { createContainer, PARTS, processorToken } from '../../dist/src/container/index.js';

const lastOnly = {
  name: 'last-only',
  process: (candidates) => candidates.keepIds((_id, index) => index === candidates.size - 1),
};

/** An error of a class of its own, with a property that cannot be sent. */
class OwnError extends Error {
  name = 'OwnError';
  code = 'E_OWN';
  handle = () => {};
}

/** A hostile one: what it is cannot even be asked. */
const unreadable = new Proxy(new Error('hidden'), {
  get() {
    throw new Error('no look');
  },
});

const THROWN = {
  type: () => new TypeError('a bug'),
  own: () => new OwnError('own'),
  function: () => () => {},
  text: () => 'a text',
  undefined: () => undefined,
  unreadable: () => unreadable,
};

/** Throws what its option `what` names; `exit` ends the thread. */
const thrower = (options) => ({
  name: 'thrower',
  options,
  process() {
    if (options.what === 'exit') process.exit(3);
    throw THROWN[options.what]();
  },
});

/** A step whose state cannot be sent. */
const secretive = { name: 'secretive', process() {}, accept() {}, save: () => () => {}, restore() {} };

const OWN = { 'last-only': () => lastOnly, thrower, secretive: () => secretive };

/** Two letters and nothing. */
const tokenizer = {
  vocabSize: 3,
  encode: (text) => Array.from(text.trim(), (letter) => letter.charCodeAt(0) - 97),
  tokenBytes: (id) => Uint8Array.of(97 + id),
};

export const container = createContainer(
  new ContainerModule(({ bind }) => {
    bind(TOKENS.tokenizer).toConstantValue(tokenizer);
    for (const [name, factory] of Object.entries(OWN)) {
      bind(processorToken(name)).toConstantValue(factory);
      bind(PARTS.processorName).toConstantValue(name);
    }
  }),
);
