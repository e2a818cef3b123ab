/**
 * Writes a JSON value under a grammar in the order of keys that the grammar takes, without spaces.
 *
 * First in the order of the schema, from left to right; where options of `anyOf` and `oneOf` list the same names in other
 * orders, that may be none, and the others are tried, key by key, up to a number of tries.
 */
const encoder = new TextEncoder();

/** Tries for each part of a value: most values are written at the first. */
const TRIES = 3;
/** And as many more for each value. */
const MORE_TRIES = 100;

/** Whether `value` can be written in an order of its keys. */
export function canBeWritten(constraint, value) {
  constraint.restore([]);
  return new Writer(constraint, TRIES * countParts(value) + MORE_TRIES).write(value);
}

function countParts(value) {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum, member) => sum + 1 + countParts(member), 2);
}

class Writer {
  #constraint;
  #left;
  #ids = [];

  constructor(constraint, mostTries) {
    this.#constraint = constraint;
    this.#left = mostTries;
  }

  write(value) {
    return this.#value(value, () => this.#constraint.isComplete());
  }

  /** Whether `value` can be written here so that what is behind it can too. */
  #value(value, behind) {
    if (Array.isArray(value)) return this.#text('[', () => this.#items(value, 0, behind));
    if (typeof value !== 'object' || value === null) return this.#text(JSON.stringify(value), behind);
    return this.#text('{', () => this.#members(Object.entries(value), '', behind));
  }

  #items(items, at, behind) {
    if (at === items.length) return this.#text(']', behind);
    const item = () => this.#value(items[at], () => this.#items(items, at + 1, behind));
    return at === 0 ? item() : this.#text(',', item);
  }

  #members(members, comma, behind) {
    if (members.length === 0) return this.#text('}', behind);
    return members.some(([name, value]) => {
      const rest = members.filter(([other]) => other !== name);
      const key = `${comma}${JSON.stringify(name)}:`;
      return this.#text(key, () => this.#value(value, () => this.#members(rest, ',', behind)));
    });
  }

  /** Writes `text` and what is behind it; takes it back where that cannot be. */
  #text(text, behind) {
    if (this.#left-- <= 0) return false;
    const before = this.#ids.length;
    if (this.#goOn(text) && behind()) return true;
    this.#ids.length = before;
    this.#constraint.restore(this.#ids);
    return false;
  }

  #goOn(text) {
    for (const byte of encoder.encode(text)) {
      if (((this.#constraint.mask()[byte >> 5] >>> (byte & 31)) & 1) === 0) return false;
      this.#constraint.advance(byte);
      this.#ids.push(byte);
    }
    return true;
  }
}
