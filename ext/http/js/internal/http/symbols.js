// Symbols of the internal properties of HTTP messages.
'use strict';

module.exports = {
  kBytesWritten: Symbol('kBytesWritten'),
  /** Of a server's response: its connection, which is notified when the response is sent. */
  kConnection: Symbol('kConnection'),
  kChunkedBuffer: Symbol('kChunkedBuffer'),
  kCorked: Symbol('kCorked'),
  /** Ends the performance entry of a request or response. */
  kEndMeasurement: Symbol('kEndMeasurement'),
  kErrored: Symbol('kErrored'),
  /** A map from lower-case names to `[name, value]`. */
  kOutHeaders: Symbol('kOutHeaders'),
  kHighWaterMark: Symbol('kHighWaterMark'),
  /** The head has characters above 0x7f and must be written as Latin-1. */
  kHasNonAscii: Symbol('kHasNonAscii'),
  kNeedDrain: Symbol('kNeedDrain'),
  kRejectNonStandardBodyWrites: Symbol('kRejectNonStandardBodyWrites'),
  kSocket: Symbol('kSocket'),
  /** Names of fields whose values are joined in one line. */
  kUniqueHeaders: Symbol('kUniqueHeaders'),
};
