// node:constants (deprecated): the constants of `os`, `fs` and `crypto` in one frozen object.

'use strict';

const { dlopen, errno, priority, signals } = require('internal/os/constants');

module.exports = Object.freeze({ ...dlopen, ...errno, ...priority, ...signals, ...require('fs').constants, ...require('crypto').constants });
