// Parts of a builtin that are not there yet. In: their names. Out: classes that can be imported,
// passed on and compared, and that say so by name when they are called or made. A builtin of which
// nothing is there is refused as a whole (internal/builtin_list).
'use strict';

function absent(builtin, name) {
  const own = {
    [name]: class {
      constructor() { throw refuse(builtin, name); }

      static [Symbol.hasInstance]() { return false; }
    },
  }[name];
  return new Proxy(own, { apply() { throw refuse(builtin, name); } });
}

function refuse(builtin, name) {
  const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
  return new ERR_METHOD_NOT_IMPLEMENTED(`${builtin}.${name}`);
}

/** Functions that say so when they are called. */
function absentFunction(builtin, name) {
  return { [name]() { throw refuse(builtin, name); } }[name];
}

module.exports = { absent, absentFunction };
