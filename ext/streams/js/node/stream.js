// `node:stream`: the stream classes and their functions, as members of the legacy `Stream`
// function. In: nothing. Out: that function. Absent: the implementations (internal/streams).
'use strict';

const { Stream } = require('internal/streams/legacy');
const { codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');
const utils = require('internal/streams/utils');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const Duplex = require('internal/streams/duplex');
const Transform = require('internal/streams/transform');
const PassThrough = require('internal/streams/passthrough');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/state');
const { eos } = require('internal/streams/end-of-stream');
const customPromisify = Symbol.for('nodejs.util.promisify.custom');

/**
 * Names and `length` of the functions of internal/streams/operators, which is loaded when one is
 * called.
 */
const streamReturningOperators = { drop: 1, filter: 2, flatMap: 2, map: 2, take: 1 };
const promiseReturningOperators = { every: 1, forEach: 2, reduce: 3, toArray: 1, some: 1, find: 2 };

function defineOperator(name, length, apply) {
  function operator(...args) {
    if (new.target) {
      throw new ERR_ILLEGAL_CONSTRUCTOR();
    }
    return apply(this, args);
  }
  Object.defineProperty(operator, 'name', { value: name });
  Object.defineProperty(operator, 'length', { value: length });
  Object.defineProperty(Readable.prototype, name, { value: operator, enumerable: false, configurable: true, writable: true });
}

for (const name of Object.keys(streamReturningOperators)) {
  defineOperator(name, streamReturningOperators[name], (stream, args) =>
    Readable.from(require('internal/streams/operators').streamReturningOperators[name].apply(stream, args)));
}
for (const name of Object.keys(promiseReturningOperators)) {
  defineOperator(name, promiseReturningOperators[name], (stream, args) =>
    Promise.resolve().then(() => require('internal/streams/operators').promiseReturningOperators[name].apply(stream, args)));
}

Object.assign(Stream, {
  isDestroyed: utils.isDestroyed,
  isDisturbed: utils.isDisturbed,
  isErrored: utils.isErrored,
  isReadable: utils.isReadable,
  isWritable: utils.isWritable,
  Readable,
  Writable,
  Duplex,
  Transform,
  PassThrough,
  duplexPair(options) {
    return require('internal/streams/duplexpair')(options);
  },
  pipeline(...streams) {
    return require('internal/streams/pipeline').pipeline(...streams);
  },
  addAbortSignal(signal, stream) {
    return require('internal/streams/add-abort-signal').addAbortSignal(signal, stream);
  },
  finished: eos,
  destroy(stream, error) {
    return require('internal/streams/destroy').destroyer(stream, error);
  },
  compose(...streams) {
    return require('internal/streams/compose').compose(...streams);
  },
  setDefaultHighWaterMark,
  getDefaultHighWaterMark,
});

Object.defineProperty(Stream, 'promises', {
  configurable: true,
  enumerable: true,
  get() {
    return require('stream/promises');
  },
});
for (const name of ['pipeline', 'finished']) {
  Object.defineProperty(Stream[name], customPromisify, {
    enumerable: true,
    get() {
      return require('stream/promises')[name];
    },
  });
}

Stream.Stream = Stream;
Stream._isArrayBufferView = ArrayBuffer.isView;
Stream._isUint8Array = (value) => value instanceof Uint8Array;
Stream._uint8ArrayToBuffer = (chunk) => require('buffer').Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

module.exports = Stream;
