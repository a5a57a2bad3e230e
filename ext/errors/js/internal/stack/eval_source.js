// Evaluated sources (of `node:vm`): the one that runs now, and the last ones, for functions that
// are called later. Positions of such a source cannot be looked up in a file. In: { source, name,
// line, column }: the source text, its file name, and the position of its first character, both
// from 1. Out: the same, while stacks are formatted.
'use strict';

let evalSource;

/** By name, the oldest first. */
const sources = new Map();
let retained = 0;

/** Changes where a name gets another source. */
let version = 0;

/** Code units of retained sources. Most are those of functions, which retain the string anyway. */
const RETAINED_MAX = 16 << 20;

/** Retains a source for functions of it that are called later. */
function retain(next) {
  const known = sources.get(next.name);
  if (known?.source === next.source) return;
  if (known !== undefined) {
    version++;
    sources.delete(next.name);
    retained -= known.source.length;
  }
  sources.set(next.name, next);
  retained += next.source.length;
  for (const [name, { source }] of sources) {
    if (retained <= RETAINED_MAX) break;
    sources.delete(name);
    retained -= source.length;
  }
}

module.exports = {
  current: () => evalSource,
  retain,
  version: () => version,
  /** The last one of a name. */
  find: (name) => sources.get(name),
  /** Sets the current one, which is also retained. Returns the previous one. */
  exchange(next) {
    const previous = evalSource;
    evalSource = next;
    if (next !== undefined) retain(next);
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
