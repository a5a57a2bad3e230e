// `vitest`: what `bun:test` has, hooks whose teardown functions are called, `suite` and `assert`.
'use strict';

const own = require('bun/test');
const { hook } = require('internal/test_files/definitions');
const { lazy } = require('internal/expect/expect');

const vitest = Object.defineProperties({}, {
  ...Object.getOwnPropertyDescriptors(own),
  ...Object.getOwnPropertyDescriptors({
    suite: own.describe,
    beforeAll: hook('beforeAll', true),
    beforeEach: hook('beforeEach', true),
    /** Types are checked by the compiler alone. */
    assertType() {},
  }),
});
lazy(vitest, 'assert', () => require('internal/expect/chai_assert').assert);
lazy(vitest, 'vitest', () => own.vi);

module.exports = vitest;
