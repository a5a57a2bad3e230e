// Idle timeout of a socket: `socket.setTimeout`. In: milliseconds, activity. Out: 'timeout' after
// so long without activity; the timer is unref'd.
'use strict';

const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');
const { setUnrefTimeout, warnOfDuration } = require('internal/timers');
const { kTimeout } = require('internal/net/symbols');

const MS_MAX = 2 ** 31 - 1;

/** The write queue size at the last timeout. */
const kLastWriteQueueSize = Symbol('kLastWriteQueueSize');

/** A validated timer duration, as Node's getTimerDuration. */
function getTimerDuration(value, name) {
  validateNumber(value, name);
  if (value < 0 || !Number.isFinite(value)) throw new ERR_OUT_OF_RANGE(name, 'a non-negative finite number', value);
  if (value <= MS_MAX) return value;
  warnOfDuration(value, MS_MAX);
  return MS_MAX;
}

function stop(socket) {
  for (let each = socket; each !== null && each !== undefined; each = each._parent) {
    clearTimeout(each[kTimeout]);
    each[kTimeout] = null;
  }
}

const methods = {
  setTimeout(msecs, callback) {
    if (this.destroyed) return this;
    this.timeout = msecs;
    const duration = getTimerDuration(msecs, 'msecs');
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
    const writeQueueSize = this._handle?.writeQueueSize ?? 0;
    if (writeQueueSize > 0 && writeQueueSize !== this[kLastWriteQueueSize]) {
      // A slow write makes progress.
      this[kLastWriteQueueSize] = writeQueueSize;
      this._unrefTimer();
      return;
    }
    this.emit('timeout');
  },

  /** Restarts the timer after activity. */
  _unrefTimer() {
    for (let each = this; each !== null && each !== undefined; each = each._parent) {
      if (each.timeout > 0) each[kTimeout]?.refresh();
    }
  },
};

module.exports = { getTimerDuration, methods, stop };
