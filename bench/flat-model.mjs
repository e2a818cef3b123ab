/**
 * A model that does nothing: it gives the same logits behind every text, so that what is timed is Lockstep's own.
 */

/**
 * @param {Float32Array} logits f32[V]
 * @param {{ endIds?: readonly number[], wait?: () => Promise<void> }} options `wait` is waited for in each call, and then the
 * sessions may run at once
 */
export function flatModel(logits, { endIds = [], wait } = {}) {
  const open = () => {
    let length = 0;
    const append = (ids) => {
      length += ids.length;
      return logits;
    };
    return {
      get length() {
        return length;
      },
      append: wait === undefined ? append : (ids) => wait().then(() => append(ids)),
      truncate(to) {
        length = to;
      },
    };
  };
  return { vocabSize: logits.length, contextLength: 1e6, endIds, sessionsRunAtOnce: wait !== undefined, open };
}
