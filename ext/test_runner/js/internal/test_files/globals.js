// Globals of test files: those of jest, and `vi`. In: the global object. Out: its properties, which
// the file may replace.
'use strict';

const NAMES = [
  'describe', 'test', 'it', 'xit', 'xtest', 'xdescribe', 'expect', 'beforeAll', 'beforeEach', 'afterEach', 'afterAll', 'jest', 'vi', 'onTestFinished',
  'setDefaultTimeout', 'expectTypeOf',
];

function install(target) {
  const exports = require('bun/test');
  for (const name of NAMES) {
    if (exports[name] === undefined) continue;
    Object.defineProperty(target, name, { __proto__: null, value: exports[name], writable: true, configurable: true, enumerable: false });
  }
}

module.exports = { install };
