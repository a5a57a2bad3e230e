// Placeholders for parts of builtins that are not implemented. In: their names. Out: classes that
// can be imported and compared, and throw an error with their name when called or constructed. A
// builtin without any implementation is refused by internal/builtin_list.
'use strict';

function absent(builtin, name) {
  const own = {
    [name]: class {
      constructor() { throw notImplemented(builtin, name); }

      static [Symbol.hasInstance]() { return false; }
    },
  }[name];
  return new Proxy(own, { apply() { throw notImplemented(builtin, name); } });
}

function notImplemented(builtin, name) {
  const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
  return new ERR_METHOD_NOT_IMPLEMENTED(`${builtin}.${name}`);
}

/** A function that throws when it is called. */
function absentFunction(builtin, name) {
  return { [name]() { throw notImplemented(builtin, name); } }[name];
}

module.exports = { absent, absentFunction };
