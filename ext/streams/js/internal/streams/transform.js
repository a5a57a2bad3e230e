// Streams whose output follows from their input. In: `_transform` and `_flush` of whoever makes the
// stream. Out: a Duplex that takes the next chunk when there is room for what the last one gave.
// Absent: any transforming.
'use strict';

const Duplex = require('internal/streams/duplex');
const { getHighWaterMark } = require('internal/streams/state');
const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');

/** The callback of a chunk that waits for room. */
const waiting = Symbol('kCallback');

function Transform(optionsGiven) {
  if (!(this instanceof Transform)) {
    return new Transform(optionsGiven);
  }
  let options = optionsGiven;
  const mark = options ? getHighWaterMark(this, options, 'readableHighWaterMark', true) : null;
  if (mark === 0) {
    // Nothing could ever go through, if the side that is written to had room where the other has
    // none.
    options = { ...options, highWaterMark: null, readableHighWaterMark: 0, writableHighWaterMark: options.writableHighWaterMark || 0 };
  }
  Duplex.call(this, options);
  // What is written comes out at once, not in a tick.
  this._readableState.sync = false;
  this[waiting] = null;
  if (options) {
    if (typeof options.transform === 'function') {
      this._transform = options.transform;
    }
    if (typeof options.flush === 'function') {
      this._flush = options.flush;
    }
  }
  // Not by `_final` alone: those who have one of their own rely on the event.
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
  const { _readableState: reading, _writableState: writing } = this;
  const { length } = reading;
  this._transform(chunk, encoding, (error, result) => {
    if (error) {
      callback(error);
      return;
    }
    if (result !== null && result !== undefined) {
      this.push(result);
    }
    // A chunk that gave nothing does not wait.
    if (writing.ended || length === reading.length || reading.length < reading.highWaterMark) {
      callback();
    } else {
      this[waiting] = callback;
    }
  });
};

Transform.prototype._read = function () {
  if (this[waiting]) {
    const callback = this[waiting];
    this[waiting] = null;
    callback();
  }
};

module.exports = Transform;
