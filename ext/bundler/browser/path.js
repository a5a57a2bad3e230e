// `node:path` in browsers: paths of POSIX. Absent: those of Windows.
'use strict';

const posix = require('internal/path/posix');

posix.posix = posix;
module.exports = posix;
