// require('path/win32'): the half of path for Windows.
'use strict';

module.exports = require('path').win32;
