// `bun:test`: assertions. Absent: the tree of tests.
'use strict';

const { assertions, hasAssertions } = require('internal/expect/assertion_counts');

module.exports = { expect: { assertions, hasAssertions } };
