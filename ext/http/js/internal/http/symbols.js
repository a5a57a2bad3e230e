// Symbols of the internal properties of HTTP messages.
'use strict';

module.exports = {
  kBodyBytes: Symbol('kBodyBytes'),
  kChunks: Symbol('kChunks'),
  kCorked: Symbol('kCorked'),
  kError: Symbol('kError'),
  /** Names as they are compared, with `[name, value]` of each. */
  kHeaders: Symbol('kHeaders'),
  kHighWaterMark: Symbol('kHighWaterMark'),
  /** The head has to be written as the bytes of its characters. */
  kIsHigh: Symbol('kIsHigh'),
  kNeedsDrain: Symbol('kNeedsDrain'),
  kRejectsBody: Symbol('kRejectsBody'),
  kSocket: Symbol('kSocket'),
  /** Headers of which several values go in one line. */
  kUnique: Symbol('kUnique'),
};
