// Set of untransferable objects: those that programs mark, and the memory of Buffer's pool. Absent:
// the check (transfer.js).
'use strict';

module.exports = new WeakSet();
