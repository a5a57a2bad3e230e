// @ts-check
// The engine compiles WebAssembly on threads of its own and does not say that it does. In: its functions that give promises.
// Out: the same functions, which keep the loop going until their promises are settled. Absent: streams to compile from.

(/** @param {Uint32Array} words @param {number} place */ function (words, place) {
  'use strict';

  const { apply } = Reflect;
  const { then } = Promise.prototype;

  for (const name of ['compile', 'instantiate']) {
    const original = WebAssembly[name];
    // A method has no prototype and cannot be constructed, as the original.
    const { [name]: value } = {
      [name](bytes, importObject) {
        const promise = apply(original, this, arguments);
        words[place]++;
        const settled = (pass) => (value) => {
          words[place]--;
          return pass(value);
        };
        const fail = (error) => {
          throw error;
        };
        return apply(then, promise, [settled((result) => result), settled(fail)]);
      },
    };
    Object.defineProperty(value, 'length', { value: original.length, configurable: true });
    Object.defineProperty(WebAssembly, name, { value, writable: true, configurable: true, enumerable: true });
  }
})
