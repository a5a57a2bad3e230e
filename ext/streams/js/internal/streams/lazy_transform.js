// A Transform that becomes one when it is first used as a stream; until then it is an object with a
// prototype. In: its options. Out: a class to derive from. Absent: what is transformed.
'use strict';

const { defineProperty } = Object;
const { Transform } = require('stream');

function LazyTransform(options) {
  this._options = options;
}
Object.setPrototypeOf(LazyTransform.prototype, Transform.prototype);
Object.setPrototypeOf(LazyTransform, Transform);

// All that a stream does begins with a look at one of these.
for (const name of ['_readableState', '_writableState']) {
  defineProperty(LazyTransform.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      Transform.call(this, this._options);
      return this[name];
    },
    set(value) { defineProperty(this, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true }); },
  });
}

module.exports = { LazyTransform };
