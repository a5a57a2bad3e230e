// `expect.poll`: calls a function until a matcher accepts its result, as in vitest. In: the
// function, an interval and a timeout. Out: matchers that return promises.
'use strict';

const { traceOf, waitFor } = require('internal/expect/wait');

function poll(expect, read, options = {}) {
  if (typeof read !== 'function') throw new TypeError('expect.poll(function)\n\nExpected a function\n');
  return matchers(expect, read, options, false);
}

function matchers(expect, read, options, isNot) {
  return new Proxy({}, {
    __proto__: null,
    get(_, name) {
      if (name === 'not') return matchers(expect, read, options, !isNot);
      if (typeof name !== 'string' || name === 'then') return undefined;
      return function matcher(...args) {
        const attempt = async () => {
          const expectation = expect(await read(), options.message);
          return (isNot ? expectation.not : expectation)[name](...args);
        };
        return Promise.resolve(waitFor(attempt, options, traceOf(matcher)));
      };
    },
  });
}

module.exports = { poll };
