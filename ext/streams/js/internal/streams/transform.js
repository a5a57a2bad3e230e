// Transform streams: a Duplex whose output is computed from its input. In: `_transform` and
// `_flush` of a subclass or the options. Out: a Duplex that accepts the next chunk when there is
// room for the output of the last one. Absent: any transformation.
'use strict';

const Duplex = require('internal/streams/duplex');
const { getHighWaterMark } = require('internal/streams/state');
const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');

/** The `_write` callback of a chunk whose output has filled the readable side. */
const kCallback = Symbol('kCallback');

function Transform(options) {
  if (!(this instanceof Transform)) {
    return new Transform(options);
  }
  const readableHighWaterMark = options ? getHighWaterMark(this, options, 'readableHighWaterMark', true) : null;
  if (readableHighWaterMark === 0) {
    // With a readable side of zero, the writable side must have no buffer either, as in Node.
    options = { ...options, highWaterMark: null, readableHighWaterMark: 0, writableHighWaterMark: options.writableHighWaterMark || 0 };
  }
  Duplex.call(this, options);
  // Output is emitted synchronously, not in the next tick.
  this._readableState.sync = false;
  this[kCallback] = null;
  if (options) {
    if (typeof options.transform === 'function') {
      this._transform = options.transform;
    }
    if (typeof options.flush === 'function') {
      this._flush = options.flush;
    }
  }
  // Not only in `_final`: a subclass with its own `_final` relies on the event.
  this.on('prefinish', prefinish);
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);

function prefinish() {
  if (this._final !== final) {
    final.call(this);
  }
}

function final(callback) {
  if (typeof this._flush !== 'function' || this.destroyed) {
    this.push(null);
    callback?.();
    return;
  }
  this._flush((error, chunk) => {
    if (error) {
      if (callback) {
        callback(error);
      } else {
        this.destroy(error);
      }
      return;
    }
    if (chunk !== null && chunk !== undefined) {
      this.push(chunk);
    }
    this.push(null);
    callback?.();
  });
}

Transform.prototype._final = final;

Transform.prototype._transform = function (chunk, encoding, callback) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

Transform.prototype._write = function (chunk, encoding, callback) {
  const { _readableState: rState, _writableState: wState } = this;
  const { length } = rState;
  this._transform(chunk, encoding, (error, result) => {
    if (error) {
      callback(error);
      return;
    }
    if (result !== null && result !== undefined) {
      this.push(result);
    }
    // A chunk without output does not wait.
    if (wState.ended || length === rState.length || rState.length < rState.highWaterMark) {
      callback();
    } else {
      this[kCallback] = callback;
    }
  });
};

Transform.prototype._read = function () {
  if (this[kCallback]) {
    const callback = this[kCallback];
    this[kCallback] = null;
    callback();
  }
};

module.exports = Transform;
