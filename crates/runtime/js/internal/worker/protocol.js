// What a worker and the one who started it have agreed on. Out: the names.
'use strict';

module.exports = {
  /** A variable of the environment: this program is a worker. */
  VARIABLE: 'RUSK_WORKER',
  /** What it is to know comes on this descriptor. */
  DATA_FD: 4,
  // Messages are a kind and a value.
  ONLINE: 0,
  MESSAGE: 1,
  FAILURE: 2,
};
