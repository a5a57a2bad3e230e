// The context of asynchronous work: what AsyncLocalStorage keeps. In: whoever keeps a callback for later binds it here. Out: the
// callback, which runs in the context it was bound in. As long as no storage was ever used, the context is undefined and
// nothing is wrapped. Absent: storages; js/node/async_hooks.js has them.
'use strict';

let current;

module.exports = {
  get() { return current; },
  set(context) { current = context; },

  /** The callback itself where there is no context. */
  bind(callback) {
    if (current === undefined || typeof callback !== 'function') return callback;
    const context = current;
    return function bound(...args) {
      const before = current;
      current = context;
      try {
        return Reflect.apply(callback, this, args);
      } finally {
        current = before;
      }
    };
  },

  run(context, callback, self, args) {
    const before = current;
    current = context;
    try {
      return Reflect.apply(callback, self, args);
    } finally {
      current = before;
    }
  },
};
