// Keys of arrays for structured clone: a dense array without other properties is copied by index.
// In: an array. Out: its keys if it must be copied by them.
'use strict';

const { hasItemsAlone } = require('internal/util/types');

const { keys: keysOf } = Object;

/** For longer arrays, `Object.keys` is avoided. */
const SHORT_ARRAY_MAX = 8;
const PROBES = 16;
const LONG_ARRAY = 100_000;

/** Undefined: the indexes below `length` are all keys. */
function keysUnlessDense(array, length) {
  if (length > SHORT_ARRAY_MAX && hasItemsAlone(array) && (length < LONG_ARRAY || isLikelyFilled(array, length))) return undefined;
  const keys = keysOf(array);
  return keys.length === length && (length === 0 || keys[length - 1] === `${length - 1}`) ? undefined : keys;
}

/** Samples some indexes of a long array, which may be almost empty. */
function isLikelyFilled(array, length) {
  for (let i = 0; i < PROBES; i++) if (!(Math.floor(i * length / PROBES) in array)) return false;
  return true;
}

module.exports = { keysUnlessDense };
