// What soak tests share: random choices in a fixed order, checks, and a limit for what may hang.
'use strict';

/** A limit for busy machines. */
const ENDS_WITHIN_MS = 30_000;

let seed = 42;

/** A number from 0, below `below`. */
function random(below) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor(seed / 2 ** 32 * below);
}

const one = (list) => list[random(list.length)];

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

function check(holds, what) {
  if (!holds) throw new Error(`wrong answer: ${what}`);
}

/** The value of the promise, or an error if it is not settled in time. */
async function inTime(promise, what) {
  let late;
  const timer = new Promise((_, reject) => { late = setTimeout(() => reject(new Error(`not in time: ${what}`)), ENDS_WITHIN_MS); });
  try {
    return await Promise.race([promise, timer]);
  } finally {
    clearTimeout(late);
  }
}

module.exports = { check, inTime, one, pause, random };
