// Idle timeout of a socket: `socket.setTimeout`. In: milliseconds, activity. Out: 'timeout' after
// so long without activity; the timer is unref'd.
'use strict';

const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');
const { setUnrefTimeout, warnOfDuration } = require('internal/timers');
const { kTimeout } = require('internal/net/symbols');

const MS_MAX = 2 ** 31 - 1;

/** Bytes that waited when the time was over before. */
const kWaiting = Symbol('kWaiting');

/** What a timer takes, of what a program said. */
function durationOf(value, name) {
  validateNumber(value, name);
  if (value < 0 || !Number.isFinite(value)) throw new ERR_OUT_OF_RANGE(name, 'a non-negative finite number', value);
  if (value <= MS_MAX) return value;
  warnOfDuration(value, MS_MAX);
  return MS_MAX;
}

function stop(socket) {
  for (let at = socket; at !== null && at !== undefined; at = at._parent) {
    clearTimeout(at[kTimeout]);
    at[kTimeout] = null;
  }
}

const methods = {
  setTimeout(msecs, callback) {
    if (this.destroyed) return this;
    this.timeout = msecs;
    const duration = durationOf(msecs, 'msecs');
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (duration === 0) {
      // The timer is retained: servers set the same timeout again after each request.
      if (callback !== undefined) this.removeListener('timeout', callback);
      return this;
    }
    if (this[kTimeout]?._idleTimeout === duration) {
      this[kTimeout].refresh();
    } else {
      clearTimeout(this[kTimeout]);
      this[kTimeout] = setUnrefTimeout(() => { if (this.timeout > 0) this._onTimeout(); }, duration);
    }
    if (callback !== undefined) this.once('timeout', callback);
    return this;
  },

  _onTimeout() {
    const waiting = this._handle?.writeQueueSize ?? 0;
    if (waiting > 0 && waiting !== this[kWaiting]) {
      // What was written is on its way, slowly.
      this[kWaiting] = waiting;
      this._unrefTimer();
      return;
    }
    this.emit('timeout');
  },

  /** Something went over it. */
  _unrefTimer() {
    for (let at = this; at !== null && at !== undefined; at = at._parent) {
      if (at.timeout > 0) at[kTimeout]?.refresh();
    }
  },
};

module.exports = { durationOf, methods, stop };
