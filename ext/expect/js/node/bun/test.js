// `bun:test`: assertions and mocks (internal/expect), the tree of tests (internal/test_files).
'use strict';

const { test, describe, fit, fdescribe, xtest, xdescribe, beforeAll, beforeEach, afterEach, afterAll, onTestFinished, setDefaultTimeout } =
  require('internal/test_files/definitions');
require('internal/bun_use').useBun();

module.exports = Object.defineProperties({
  test, it: test, describe, fit, fdescribe, xtest, xit: xtest, xdescribe, beforeAll, beforeEach, afterEach, afterAll, onTestFinished, setDefaultTimeout,
}, Object.getOwnPropertyDescriptors(require('internal/expect/main')));
