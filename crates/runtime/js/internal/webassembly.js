// The engine compiles WebAssembly on threads of its own and does not say that it does. In: its namespace, when a program first asks
// for it. Out: the same, with functions that keep the loop going until their promises are settled. Absent: streams to compile from.
'use strict';

const { apply } = Reflect;
const { then } = Promise.prototype;
const queues = native('queues');

function watched(original, name) {
  // A method has no prototype and cannot be constructed, as the original.
  const { [name]: value } = {
    [name](bytes, importObject) {
      const promise = apply(original, this, arguments);
      queues.keepForEngine(1);
      const settled = (pass) => (value) => {
        queues.keepForEngine(-1);
        return pass(value);
      };
      const fail = (error) => {
        throw error;
      };
      return apply(then, promise, [settled((result) => result), settled(fail)]);
    },
  };
  Object.defineProperty(value, 'length', { __proto__: null, value: original.length, configurable: true });
  return value;
}

module.exports = {
  watch(namespace) {
    for (const name of ['compile', 'instantiate']) {
      const value = watched(namespace[name], name);
      Object.defineProperty(namespace, name, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
    }
    return namespace;
  },
};
