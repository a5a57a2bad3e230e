// Argument parsing of `connect` and `listen`, as Node's normalizeArgs. In: arguments in any of
// their forms. Out: `[options, callback]`. Absent: validation of the options.
'use strict';

/** Marks an array that is normalized already. */
const kNormalized = Symbol('normalizedArgs');

/** A numeric string is a port. */
function toNumber(value) {
  const number = Number(value);
  return number >= 0 ? number : false;
}

const isPath = (value) => typeof value === 'string' && toNumber(value) === false;

/** `(options)`, `(path)`, `(port[, host])`, each with or without a callback at the end. */
function normalize(given) {
  if (given[0]?.[kNormalized] === true) return given[0];
  const [first, second] = given;
  let options = {};
  if (typeof first === 'object' && first !== null) {
    options = first;
  } else if (isPath(first)) {
    options.path = first;
  } else if (given.length > 0) {
    options.port = first;
    if (given.length > 1 && typeof second === 'string') options.host = second;
  }
  const last = given.at(-1);
  const list = [options, typeof last === 'function' ? last : null];
  list[kNormalized] = true;
  return list;
}

module.exports = { isPath, kNormalized, normalize, toNumber };
