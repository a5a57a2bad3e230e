// Random order of tests, the same for the same seed. In: a seed. Out: a function that returns a
// shuffled copy of a list.
'use strict';

/** mulberry32: 32 bits of state, enough for an order. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

/** Fisher and Yates. */
function makeShuffle(seed) {
  const random = generator(seed);
  return (list) => {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
    }
    return shuffled;
  };
}

module.exports = { generator, makeShuffle };
