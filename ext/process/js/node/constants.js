// `constants`: the numbers of `os`, `fs` and `crypto` in one object, as old programs want them. In:
// nothing. Out: the object, frozen.

'use strict';

const { dlopen, errno, priority, signals } = require('internal/os/constants');

module.exports = Object.freeze({ ...dlopen, ...errno, ...priority, ...signals, ...require('fs').constants, ...require('crypto').constants });
