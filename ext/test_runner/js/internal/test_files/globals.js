// Globals of test files: those of jest, and `vi`. In: the global object. Out: its properties, which
// the file may replace. Also globals of the engine whose use is of interest (reuse.js).
'use strict';

const NAMES = [
  'describe', 'test', 'it', 'fit', 'fdescribe', 'xit', 'xtest', 'xdescribe', 'expect', 'beforeAll', 'beforeEach', 'afterEach', 'afterAll', 'jest', 'vi', 'onTestFinished',
  'setDefaultTimeout', 'expectTypeOf',
];

function install(target) {
  const exports = require('bun/test');
  for (const name of NAMES) {
    const own = Object.getOwnPropertyDescriptor(exports, name);
    const define = (value) => Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
    if (own === undefined || own.get === undefined) {
      define(exports[name]);
      continue;
    }
    // Its value is made when it is first read.
    const get = () => {
      define(exports[name]);
      return exports[name];
    };
    Object.defineProperty(target, name, { __proto__: null, get, set: define, configurable: true, enumerable: false });
  }
}

/** A global of the engine whose first use shows: until then it is an accessor. */
function watch(name) {
  const value = globalThis[name];
  require('internal/globals').lazy(globalThis, name, () => value, false, true);
  // Else builtins that are loaded would replace it for a while.
  require.keepGetter(name);
}

module.exports = { NAMES, install, watch };
