// Scripts for a global object that has a Proxy among its prototypes, as pages in jsdom do. The
// engine refuses them, and looks when a script begins: so the prototypes are away until its first
// statement. In: the global object, a text, what runs one. Out: what it gives. Absent: columns of
// the statements on that first line, which move.
'use strict';

const { defineProperty, deleteProperty, getPrototypeOf, setPrototypeOf } = Reflect;
const { isProxy } = require('internal/util/types');
const { beginWith } = internalBinding('vm');

/** The text's first statement; a property of this name is there until then. */
const BEGIN = '$begin_of_script$';

function hasProxy(object) {
  let prototype = getPrototypeOf(object);
  while (prototype !== null && !isProxy(prototype)) prototype = getPrototypeOf(prototype);
  return prototype !== null;
}

module.exports = {
  run(global, text, evaluate) {
    if (!hasProxy(global)) return evaluate(text);
    const prototype = getPrototypeOf(global);
    const begin = () => {
      deleteProperty(global, BEGIN);
      setPrototypeOf(global, prototype);
    };
    defineProperty(global, BEGIN, { __proto__: null, value: begin, configurable: true });
    setPrototypeOf(global, null);
    try {
      return evaluate(beginWith(text, `${BEGIN}();`));
    } finally {
      // What does not parse never begins.
      if (Object.hasOwn(global, BEGIN)) begin();
    }
  },
};
