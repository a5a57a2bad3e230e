// `node:path`: paths of POSIX and of Windows. In: strings. Out: strings. Absent: access to the file
// system, except for the current directory.
'use strict';

const posix = require('internal/path/posix');
const win32 = require('internal/path/win32');

// Each refers to the other.
posix.win32 = win32.win32 = win32;
posix.posix = win32.posix = posix;

module.exports = posix;
