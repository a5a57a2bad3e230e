// Incomplete exports of a CommonJS module in a cycle: access to a missing property emits a warning,
// as in Node. In: the module. Out: its exports have a proxy as prototype until it was evaluated.
'use strict';

function warn(key) {
  require('process').emitWarning(`Accessing non-existent property '${String(key)}' of module exports inside circular dependency`);
}

const warning = new Proxy({}, {
  get(target, key) {
    if (key in target || key === '__esModule') return target[key];
    warn(key);
    return undefined;
  },
  getOwnPropertyDescriptor(target, key) {
    if (Object.hasOwn(target, key) || key === '__esModule') return Object.getOwnPropertyDescriptor(target, key);
    warn(key);
    return undefined;
  },
});

const isObject = (value) => value !== null && typeof value === 'object';
const watched = new WeakSet();

module.exports = {
  watch({ exports }) {
    if (!isObject(exports) || require('internal/util/types').isProxy(exports)) return;
    if (Object.getPrototypeOf(exports) !== Object.prototype || exports.__esModule) return;
    watched.add(exports);
    Object.setPrototypeOf(exports, warning);
  },

  /** Removes the proxy: the module was evaluated. */
  unwatch({ exports }) {
    if (isObject(exports) && watched.has(exports) && Object.getPrototypeOf(exports) === warning) Object.setPrototypeOf(exports, Object.prototype);
  },
};
