// fs/promises. Out: the same object as `fs.promises`. Absent: code; internal/fs/promises.js has it.
'use strict';

module.exports = require('internal/fs/promises').exports;
