// LazyTransform: a Transform that is initialized at its first use as a stream. In: its options.
// Out: a class to derive from. Absent: the transformation.
'use strict';

const { defineProperty } = Object;
const { Transform } = require('stream');

function LazyTransform(options) {
  this._options = options;
}
Object.setPrototypeOf(LazyTransform.prototype, Transform.prototype);
Object.setPrototypeOf(LazyTransform, Transform);

// Every operation of a stream first reads one of these.
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
