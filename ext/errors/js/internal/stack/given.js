// A text that is in no file, while it runs and while stacks are made in which it may stand. In: {
// text, name, line, column }, of its first letter, both from 1. Out: the same, to whoever tells
// places.
'use strict';

let given;

module.exports = {
  current: () => given,
  /** For a while; gives the one before. */
  exchange(script) {
    const before = given;
    given = script;
    return before;
  },
  /** While `body` runs, places in the script are told as V8 tells them. */
  within(script, body) {
    const before = given;
    given = script;
    try {
      return body();
    } finally {
      given = before;
    }
  },
};
