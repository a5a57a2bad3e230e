// Symbols of the internal properties of `net.Socket`.
'use strict';

module.exports = {
  /** Its settings, which a handle gets once there is one. */
  kSettings: Symbol('kSettings'),
  /** What is to be written once it is connected: `{ chunk, encoding }`. */
  kWriting: Symbol('kWriting'),
  /** The timer of its silence. */
  kTimeout: require('internal/timers').kTimeout,
  /** Attempts to connect that go on. */
  kAttempts: Symbol('kAttempts'),
};
