// Symbols of the internal properties of `net.Socket`.
'use strict';

module.exports = {
  /** Socket options, which are set on the handle when there is one. */
  /** Ends the performance entry of a connection attempt. */
  kEndMeasurement: Symbol('kEndMeasurement'),
  kSocketOptions: Symbol('kSocketOptions'),
  /** A write that waits for the connection: `{ chunk, encoding }`. */
  /** The timer of the idle timeout. */
  kTimeout: require('internal/timers').kTimeout,
  /** The state of the attempts to connect to several addresses. */
  kConnectAttempts: Symbol('kConnectAttempts'),
};
