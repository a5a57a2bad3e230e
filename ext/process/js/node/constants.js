// node:constants (deprecated): the constants of `os`, `fs` and `crypto` in one frozen object.

'use strict';

const { dlopen, errno, priority, signals } = require('internal/os/constants');

// Not by value: the version of OpenSSL is read when a program asks, which opens the library.
const ofCrypto = Object.getOwnPropertyDescriptors(require('crypto').constants);

module.exports = Object.freeze(Object.defineProperties({ ...dlopen, ...errno, ...priority, ...signals, ...require('fs').constants }, ofCrypto));
