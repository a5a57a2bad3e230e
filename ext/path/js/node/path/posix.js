// require('path/posix'): the half of path for POSIX.
'use strict';

module.exports = require('path').posix;
