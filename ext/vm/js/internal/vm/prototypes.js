// Scripts for a global object with a Proxy in its prototype chain, as pages in jsdom have. The
// engine rejects such a global object when a script begins. So the prototypes are detached until
// the script's first statement. In: the global object, a source, a function that evaluates one; or
// a function that only compiles. Out: the result. Absent: columns of the statements on that first
// line, which change.
'use strict';

const { defineProperty, deleteProperty, getPrototypeOf, setPrototypeOf } = Reflect;
const { isProxy } = require('internal/util/types');
const { prependStatements } = internalBinding('vm');

/** Name of the function that the first statement calls; a global property until then. */
const RESTORE = '$begin_of_script$';

function hasProxy(object) {
  let prototype = getPrototypeOf(object);
  while (prototype !== null && !isProxy(prototype)) prototype = getPrototypeOf(prototype);
  return prototype !== null;
}

module.exports = {
  /** Runs what begins no code of the program, such as an expression that is a function. */
  detached(global, body) {
    if (!hasProxy(global)) return body();
    const prototype = getPrototypeOf(global);
    setPrototypeOf(global, null);
    try {
      return body();
    } finally {
      setPrototypeOf(global, prototype);
    }
  },

  run(global, source, evaluate) {
    if (!hasProxy(global)) return evaluate(source);
    const prototype = getPrototypeOf(global);
    const restore = () => {
      deleteProperty(global, RESTORE);
      setPrototypeOf(global, prototype);
    };
    defineProperty(global, RESTORE, { __proto__: null, value: restore, configurable: true });
    setPrototypeOf(global, null);
    try {
      return evaluate(prependStatements(source, `${RESTORE}();`));
    } finally {
      // A script with a syntax error has no first statement.
      if (Object.hasOwn(global, RESTORE)) restore();
    }
  },
};
