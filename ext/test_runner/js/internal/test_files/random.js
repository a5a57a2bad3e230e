// `Math.random` of a forked process. The engine's generator has the same state in all children of
// one parent, so they would all return identical values. In: two random words. Out: a replacement.
'use strict';

/** xorshift128+ on 32-bit halves would be the engine's; sfc32 is as good and faster here. */
function reseed(math, words) {
  let [a, b, c, counter] = words;
  const { random } = {
    random() {
      const sum = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (c << 21) | (c >>> 11);
      c = (c + sum) | 0;
      // 53 bits, as the engine's: 32 of this step, 21 of the state.
      return ((sum >>> 0) * 0x200000 + (b >>> 11)) / 0x20000000000000;
    },
  };
  for (let round = 0; round < 12; round++) random();
  Object.defineProperty(math, 'random', { __proto__: null, value: random, writable: true, configurable: true, enumerable: false });
}

module.exports = { reseed };
