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
function normalize(args) {
  if (args[0]?.[kNormalized] === true) return args[0];
  const [first, second] = args;
  let options = {};
  if (typeof first === 'object' && first !== null) {
    options = first;
  } else if (isPath(first)) {
    options.path = first;
  } else if (args.length > 0) {
    options.port = first;
    if (args.length > 1 && typeof second === 'string') options.host = second;
  }
  const last = args.at(-1);
  const normalized = [options, typeof last === 'function' ? last : null];
  normalized[kNormalized] = true;
  return normalized;
}

module.exports = { isPath, kNormalized, normalize, toNumber };
