// Duplex streams: readable and writable. In: options of a Readable and a Writable. Out: a stream
// that inherits from Readable and has Writable's members. Absent: data that passes from one side to
// the other (transform.js).
'use strict';

const { Stream } = require('internal/streams/legacy');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const { ReadableState } = require('internal/streams/readable_state');
const { WritableState, clearBuffer, finishMaybe } = require('internal/streams/writable_flow');
const { maybeReadMore } = require('internal/streams/readable_flow');
const { construct } = require('internal/streams/destroy');

function Duplex(options) {
  if (!(this instanceof Duplex)) {
    return new Duplex(options);
  }
  this._events ??= {
    close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined,
    data: undefined, end: undefined, readable: undefined,
  };
  this._readableState = new ReadableState(options, this, true);
  this._writableState = new WritableState(options, this, true);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options) {
    applyOptions(this, options);
  }
  Stream.call(this, options);
  if (options?.signal) {
    require('internal/streams/add-abort-signal').addAbortSignal(options.signal, this);
  }
  if (this._construct != null) {
    construct(this, () => onConstructed(this));
  }
}

const METHOD_OPTIONS = { read: '_read', write: '_write', writev: '_writev', destroy: '_destroy', final: '_final', construct: '_construct' };

function applyOptions(stream, options) {
  if (options.readable === false) {
    Object.assign(stream._readableState, { readable: false, ended: true, endEmitted: true });
  }
  if (options.writable === false) {
    Object.assign(stream._writableState, { writable: false, ending: true, ended: true, finished: true });
  }
  for (const name in METHOD_OPTIONS) {
    if (typeof options[name] === 'function') {
      stream[METHOD_OPTIONS[name]] = options[name];
    }
  }
}

/** Starts what was deferred to the end of `_construct`. */
function onConstructed(stream) {
  if (stream._readableState.needReadable) {
    maybeReadMore(stream, stream._readableState);
  }
  const state = stream._writableState;
  if (!state.writing) {
    clearBuffer(stream, state);
  }
  finishMaybe(stream, state);
}

Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);

for (const name of Object.keys(Writable.prototype)) {
  Duplex.prototype[name] ||= Writable.prototype[name];
}
for (const name of Object.getOwnPropertyNames(Writable.prototype)) {
  const descriptor = Object.getOwnPropertyDescriptor(Writable.prototype, name);
  if (name.startsWith('writable') && descriptor.get) {
    Object.defineProperty(Duplex.prototype, name, { ...descriptor, configurable: true });
  }
}
Duplex.prototype.destroy = Writable.prototype.destroy;

Object.defineProperty(Duplex.prototype, 'destroyed', {
  get() {
    const { _readableState: reading, _writableState: writing } = this;
    return reading === undefined || writing === undefined ? false : reading.destroyed && writing.destroyed;
  },
  set(value) {
    if (this._readableState && this._writableState) {
      this._readableState.destroyed = value;
      this._writableState.destroyed = value;
    }
  },
  configurable: true,
});

Duplex.fromWeb = (pair, options) => require('internal/webstreams/adapters').newStreamDuplexFromReadableWritablePair(pair, options);

Duplex.toWeb = (duplex, options) => require('internal/webstreams/adapters').newReadableWritablePairFromDuplex(duplex, options);

Duplex.from = (body) => require('internal/streams/duplexify')(body, 'body');

module.exports = Duplex;
