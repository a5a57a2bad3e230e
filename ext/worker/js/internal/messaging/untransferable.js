// Objects that may not be transferred: programs mark them, and so does who lends parts of a buffer.
// Out: the set of them. Absent: what follows (transfer.js).
'use strict';

module.exports = new WeakSet();
