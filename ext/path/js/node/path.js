// require('path'). In: strings. Out: what POSIX, and what Windows, makes of them. Absent: the disk;
// the one question asked outside is where the program is now.
'use strict';

const posix = require('internal/path/posix');
const win32 = require('internal/path/win32');

// Each knows the other.
posix.win32 = win32.win32 = win32;
posix.posix = win32.posix = posix;

module.exports = posix;
