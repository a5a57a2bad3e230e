// `Error.isError` for engines without it (2.46). In: any value. Out: whether it was constructed as
// an error, whatever its prototype is. Absent: errors with a Symbol.toStringTag of their own,
// unless they inherit from Error.
'use strict';

const { apply } = Reflect;
const { toString } = Object.prototype;

const { isError } = {
  isError(value) {
    if (value === null || typeof value !== 'object') return false;
    return Symbol.toStringTag in value ? value instanceof Error : apply(toString, value, []) === '[object Error]';
  },
};

module.exports = isError;
