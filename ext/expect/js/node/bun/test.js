// `bun:test`: assertions and mocks (internal/expect), the tree of tests (internal/test_files).
'use strict';

const { assertions, hasAssertions } = require('internal/expect/assertion_counts');
const { test, describe, xtest, xdescribe, beforeAll, beforeEach, afterEach, afterAll, onTestFinished, setDefaultTimeout } =
  require('internal/test_files/definitions');

module.exports = {
  expect: { assertions, hasAssertions },
  test, it: test, describe, xtest, xit: xtest, xdescribe, beforeAll, beforeEach, afterEach, afterAll, onTestFinished, setDefaultTimeout,
};
