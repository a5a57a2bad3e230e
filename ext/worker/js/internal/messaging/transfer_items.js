// Arrays that are items and nothing else, which are copied by their places. In: an array. Out: the
// names of its members where that would leave some out, or take long.
'use strict';

const { hasItemsAlone } = require('internal/util/types');

const { keys: keysOf } = Object;

/** Of longer arrays it is asked in other ways than by their keys whether they have items alone. */
const KEYS_MAX = 8;
const PROBES = 16;
const LONG_ARRAY = 100_000;

/** Undefined: what stands at the places below `length` is all. */
function namesUnlessItems(array, length) {
  if (length > KEYS_MAX && hasItemsAlone(array) && (length < LONG_ARRAY || isFilled(array, length))) return undefined;
  const names = keysOf(array);
  return names.length === length && (length === 0 || names[length - 1] === `${length - 1}`) ? undefined : names;
}

/** Looks at some places of a long array, which may be almost empty. */
function isFilled(array, length) {
  for (let i = 0; i < PROBES; i++) if (!(Math.floor(i * length / PROBES) in array)) return false;
  return true;
}

module.exports = { namesUnlessItems };
