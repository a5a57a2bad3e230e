// The option `expectFailure`. In: the option. Out: { label, match }: the reason, and what the error
// must match.
'use strict';

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { isRegExp } = require('internal/util/types');

/** Undefined where no failure is expected. */
function readExpectation(option) {
  if (option === undefined || option === false || option === null) return undefined;
  if (typeof option === 'string') return { label: option === '' ? undefined : option };
  if (typeof option === 'function' || isRegExp(option)) return { match: option };
  if (typeof option !== 'object') return {};
  const keys = Object.keys(option);
  if (keys.length === 0 && !(option instanceof Error)) {
    throw new ERR_INVALID_ARG_VALUE('options.expectFailure', option, 'must not be an empty object');
  }
  if (keys.length > 0 && keys.every((key) => key === 'label' || key === 'match')) return { label: option.label, match: option.match };
  return { match: option };
}

/** The assertion error of an error that does not match; undefined for one that does. */
function mismatch({ match }, thrown) {
  if (match === undefined) return undefined;
  try {
    require('assert').throws(() => { throw thrown; }, match);
    return undefined;
  } catch (error) {
    return error;
  }
}

module.exports = { mismatch, readExpectation };
