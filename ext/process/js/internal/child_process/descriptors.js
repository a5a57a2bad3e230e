// What becomes of a child's descriptor: the same numbers in src/natives/child_process/request.rs.
// From 0 it is a descriptor of ours.
'use strict';

module.exports = {
  IGNORE: -1,
  PIPE: -2,
  /** Of both ways, also where a stream of one way stands else. */
  CHANNEL: -3,
  BYTES: -4,
  TERMINAL: -5,
  /** A connection whose end here is given out by its number. */
  NUMBER: -6,
};
