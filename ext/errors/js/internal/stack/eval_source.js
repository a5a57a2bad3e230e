// The evaluated source (of `node:vm`) that runs now. Positions of such a source cannot be looked up
// in a file. In: { source, name, line, column }: the source text, its file name, and the position
// of its first character, both from 1. Out: the same, while stacks are formatted.
'use strict';

let evalSource;

module.exports = {
  current: () => evalSource,
  /** Sets the current one. Returns the previous one. */
  exchange(next) {
    const previous = evalSource;
    evalSource = next;
    return previous;
  },
  /** Runs `callback` with `next` as the current one. */
  within(next, callback) {
    const previous = evalSource;
    evalSource = next;
    try {
      return callback();
    } finally {
      evalSource = previous;
    }
  },
};
