// Adapters between Node streams and web streams: `toWeb` and `fromWeb`. In: a stream of one kind.
// Out: a stream of the other; ends, errors and back-pressure pass in both directions. Follows
// Node's lib/internal/webstreams/adapters.js. Absent: the streams themselves.
'use strict';

const process = require('process');
const { Buffer } = require('buffer');
const { destroyer: destroy } = require('internal/streams/destroy');
const { eos: finished } = require('internal/streams/end-of-stream');
const { isDestroyed, isReadable, isWritable, isWritableEnded, isWritableNodeStream } = require('internal/streams/utils');
const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateBoolean, validateObject, validateOneOf } = require('internal/validators');
const { slotsOfStream } = require('web/streams/readable');
const { slotsOfWritable } = require('web/streams/writable');
const { ReadableStream, WritableStream, CountQueuingStrategy } = require('web/streams');

const nop = () => {};

/** A premature close is an AbortError, and a zlib error a TypeError, as in Node. */
function handleKnownInternalErrors(error) {
  if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new AbortError(undefined, { cause: error });
  }
  if (typeof error?.code === 'string' && /^Z_|^ERR__ERROR_|^ERR_BROTLI|^ERR_PADDING/.test(error.code)) {
    return Object.assign(new TypeError(undefined, { cause: error }), { code: error.code });
  }
  return error;
}

/**
 * Calls a callback of a stream. What it throws is reported by `onThrow` in the next tick and does
 * not reject the promise whose reaction this is.
 */
function callOrDestroy(callback, error, onThrow) {
  try {
    callback(error);
  } catch (failure) {
    process.nextTick(onThrow, failure);
  }
}

function throwError(error) {
  throw error;
}

// --- to the web

function newWritableStreamFromStreamWritable(stream) {
  // A server's response has no state.
  if (typeof stream?._writableState !== 'object' && !isWritableNodeStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('streamWritable', 'stream.Writable', stream);
  }
  if (isDestroyed(stream) || !isWritable(stream)) {
    const writable = new WritableStream();
    writable.close();
    return writable;
  }
  const highWaterMark = stream.writableHighWaterMark;
  const strategy = stream.writableObjectMode ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark };
  let controller;
  let backpressurePromise;
  let closed;
  const cleanup = finished(stream, (streamError) => {
    const error = handleKnownInternalErrors(streamError);
    cleanup();
    // Errors after the end are ignored.
    stream.on('error', nop);
    if (error != null) {
      backpressurePromise?.reject(error);
      closed?.reject(error);
      closed = undefined;
      controller.error(error);
      controller = undefined;
    } else if (closed !== undefined) {
      closed.resolve();
      closed = undefined;
    } else {
      controller.error(new AbortError());
      controller = undefined;
    }
  });
  stream.on('drain', () => backpressurePromise?.resolve());
  return new WritableStream({
    start(c) {
      controller = c;
    },
    write(value) {
      const chunk = value instanceof ArrayBuffer && !stream.writableObjectMode ? new Uint8Array(value) : value;
      if (!stream.writableNeedDrain && stream.write(chunk)) {
        return undefined;
      }
      backpressurePromise = Promise.withResolvers();
      return backpressurePromise.promise.finally(() => {
        backpressurePromise = undefined;
      });
    },
    abort(reason) {
      destroy(stream, reason);
    },
    close() {
      if (closed === undefined && !isWritableEnded(stream)) {
        closed = Promise.withResolvers();
        stream.end();
        return closed.promise;
      }
      if (closed === undefined) {
        return undefined;
      }
      return closed.promise;
    },
  }, strategy);
}

function newReadableStreamFromStreamReadable(stream, options = {}) {
  if (typeof stream?._readableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('streamReadable', 'stream.Readable', stream);
  }
  validateObject(options, 'options');
  if (options.type !== undefined) {
    validateOneOf(options.type, 'options.type', ['bytes', undefined]);
  }
  const isBytes = options.type === 'bytes';
  if (isDestroyed(stream) || !isReadable(stream)) {
    const readable = new ReadableStream({ type: options.type });
    readable.cancel();
    return readable;
  }
  const isObjectMode = stream.readableObjectMode;
  const highWaterMark = stream.readableHighWaterMark;
  const strategy = options.strategy ?? (isObjectMode && !isBytes ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark });
  let controller;
  let isCancelled = false;
  stream.pause();
  const cleanup = finished(stream, (streamError) => {
    const error = handleKnownInternalErrors(streamError);
    cleanup();
    stream.on('error', nop);
    if (error) {
      controller.error(error);
    } else if (!isCancelled) {
      controller.close();
      if (isBytes) {
        controller.byobRequest?.respond(0);
      }
    }
  });
  stream.on('data', (value) => {
    // A copy: a web stream may transfer the buffer, which could be Buffer's pool.
    const chunk = Buffer.isBuffer(value) && !isObjectMode ? new Uint8Array(value) : value;
    controller.enqueue(chunk);
    if (controller.desiredSize <= 0) {
      stream.pause();
    }
  });
  return new ReadableStream({
    type: options.type,
    start(c) {
      controller = c;
    },
    pull() {
      stream.resume();
    },
    cancel(reason) {
      isCancelled = true;
      destroy(stream, reason);
    },
  }, strategy);
}

function newReadableWritablePairFromDuplex(duplex, options = {}) {
  if (typeof duplex?._writableState !== 'object' || typeof duplex?._readableState !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('duplex', 'stream.Duplex', duplex);
  }
  validateObject(options, 'options');
  const type = options.readableType ?? options.type;
  const destroyed = isDestroyed(duplex);
  let writable;
  if (!destroyed && isWritable(duplex)) {
    writable = newWritableStreamFromStreamWritable(duplex);
  } else {
    writable = new WritableStream();
    writable.close();
  }
  let readable;
  if (!destroyed && isReadable(duplex)) {
    readable = newReadableStreamFromStreamReadable(duplex, { type });
  } else {
    readable = new ReadableStream({ type });
    readable.cancel();
  }
  return { writable, readable };
}

// --- from the web

/** Methods of a Node writable over a web writer. */
function makeWritableMethods(writer, { decodeStrings, objectMode }, getStream, isClosed) {
  const onThrow = (error) => destroy(getStream(), error);
  return {
    writev(chunks, callback) {
      const done = (error) => callOrDestroy(callback, error, onThrow);
      writer.ready.then(() => Promise.all(chunks.map(({ chunk }) => writer.write(chunk))).then(() => done(), done), done);
    },
    write(chunk, encoding, callback) {
      if (typeof chunk === 'string' && decodeStrings && !objectMode) {
        const bytes = Buffer.from(chunk, encoding);
        chunk = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
      const done = (error) => callOrDestroy(callback, error, onThrow);
      writer.ready.then(() => writer.write(chunk).then(() => done(), done), done);
    },
    final(callback) {
      const done = (error) => callOrDestroy(callback, error, onThrow);
      if (!isClosed()) {
        writer.close().then(() => done(), done);
      }
    },
  };
}

function makeRead(reader, getStream) {
  return () => {
    reader.read().then(({ value, done }) => {
      getStream().push(done ? null : value);
    }, (error) => destroy(getStream(), error));
  };
}

function newStreamWritableFromWritableStream(writableStream, options = {}) {
  const Writable = require('internal/streams/writable');
  if (slotsOfWritable(writableStream) === undefined) {
    throw new ERR_INVALID_ARG_TYPE('writableStream', 'WritableStream', writableStream);
  }
  validateObject(options, 'options');
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  validateBoolean(decodeStrings, 'options.decodeStrings');
  const writer = writableStream.getWriter();
  let isClosed = false;
  const writable = new Writable({
    highWaterMark,
    objectMode,
    decodeStrings,
    signal,
    ...makeWritableMethods(writer, { decodeStrings, objectMode }, () => writable, () => isClosed),
    destroy(error, callback) {
      const done = () => callOrDestroy(callback, error, throwError);
      if (isClosed) {
        done();
      } else if (error != null) {
        writer.abort(error).then(done, done);
      } else {
        writer.close().then(done, done);
      }
    },
  });
  writer.closed.then(() => {
    isClosed = true;
  }, (error) => {
    isClosed = true;
    destroy(writable, error);
  });
  return writable;
}

function newStreamReadableFromReadableStream(readableStream, options = {}) {
  const Readable = require('internal/streams/readable');
  if (slotsOfStream(readableStream) === undefined) {
    throw new ERR_INVALID_ARG_TYPE('readableStream', 'ReadableStream', readableStream);
  }
  validateObject(options, 'options');
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE(encoding, 'options.encoding');
  }
  validateBoolean(objectMode, 'options.objectMode');
  const reader = readableStream.getReader();
  let isClosed = false;
  const readable = new Readable({
    objectMode,
    highWaterMark,
    encoding,
    signal,
    read: makeRead(reader, () => readable),
    destroy(error, callback) {
      const done = () => callOrDestroy(callback, error, throwError);
      if (isClosed) {
        done();
      } else {
        reader.cancel(error).then(done, done);
      }
    },
  });
  reader.closed.then(() => {
    isClosed = true;
  }, (error) => {
    isClosed = true;
    destroy(readable, error);
  });
  return readable;
}

function newStreamDuplexFromReadableWritablePair(pair = {}, options = {}) {
  const Duplex = require('internal/streams/duplex');
  validateObject(pair, 'pair');
  const { readable: readableStream, writable: writableStream } = pair;
  if (slotsOfStream(readableStream) === undefined) {
    throw new ERR_INVALID_ARG_TYPE('pair.readable', 'ReadableStream', readableStream);
  }
  if (slotsOfWritable(writableStream) === undefined) {
    throw new ERR_INVALID_ARG_TYPE('pair.writable', 'WritableStream', writableStream);
  }
  validateObject(options, 'options');
  const { allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true, highWaterMark, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE(encoding, 'options.encoding');
  }
  const writer = writableStream.getWriter();
  const reader = readableStream.getReader();
  let writableClosed = false;
  let readableClosed = false;
  const duplex = new Duplex({
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    ...makeWritableMethods(writer, { decodeStrings, objectMode }, () => duplex, () => writableClosed),
    read: makeRead(reader, () => duplex),
    destroy(error, callback) {
      const done = () => callOrDestroy(callback, error, throwError);
      if (writableClosed && readableClosed) {
        done();
        return;
      }
      Promise.all([
        writableClosed ? undefined : writer.abort(error),
        readableClosed ? undefined : reader.cancel(error),
      ]).then(done, done);
    },
  });
  const onError = (error) => {
    writableClosed = true;
    readableClosed = true;
    destroy(duplex, error);
  };
  writer.closed.then(() => {
    writableClosed = true;
  }, onError);
  reader.closed.then(() => {
    readableClosed = true;
  }, onError);
  return duplex;
}

module.exports = {
  newWritableStreamFromStreamWritable,
  newReadableStreamFromStreamReadable,
  newReadableWritablePairFromDuplex,
  newStreamWritableFromWritableStream,
  newStreamReadableFromReadableStream,
  newStreamDuplexFromReadableWritablePair,
};
