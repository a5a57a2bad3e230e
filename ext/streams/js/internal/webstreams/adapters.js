// Streams of Node's and of the web as each other: what `toWeb` and `fromWeb` give. In: a stream of
// the one kind. Out: one of the other; ends, errors and room for more are carried on, both ways.
// Absent: the streams.
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

const nothing = () => {};

/** An end that came too early is an abort, on the web. */
function webError(error) {
  if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new AbortError(undefined, { cause: error });
  }
  if (typeof error?.code === 'string' && /^Z_|^ERR__ERROR_|^ERR_BROTLI|^ERR_PADDING/.test(error.code)) {
    return Object.assign(new TypeError(undefined, { cause: error }), { code: error.code });
  }
  return error;
}

/**
 * Calls a callback of a stream; what it throws ends the stream, not the promise it was called by.
 */
function callSafely(callback, error, otherwise) {
  try {
    callback(error);
  } catch (failure) {
    process.nextTick(otherwise, failure);
  }
}

function throwIt(error) {
  throw error;
}

// --- to the web

function newWritableStreamFromStreamWritable(stream) {
  // A response of a server is one without a state.
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
  let room;
  let closing;
  const cleanup = finished(stream, (given) => {
    const error = webError(given);
    cleanup();
    // What comes after the end is nobody's.
    stream.on('error', nothing);
    if (error != null) {
      room?.reject(error);
      closing?.reject(error);
      closing = undefined;
      controller.error(error);
      controller = undefined;
    } else if (closing !== undefined) {
      closing.resolve();
      closing = undefined;
    } else {
      controller.error(new AbortError());
      controller = undefined;
    }
  });
  stream.on('drain', () => room?.resolve());
  return new WritableStream({
    start(given) {
      controller = given;
    },
    write(given) {
      const chunk = given instanceof ArrayBuffer && !stream.writableObjectMode ? new Uint8Array(given) : given;
      if (!stream.writableNeedDrain && stream.write(chunk)) {
        return undefined;
      }
      room = Promise.withResolvers();
      return room.promise.finally(() => {
        room = undefined;
      });
    },
    abort(reason) {
      destroy(stream, reason);
    },
    close() {
      if (closing === undefined && !isWritableEnded(stream)) {
        closing = Promise.withResolvers();
        stream.end();
        return closing.promise;
      }
      if (closing === undefined) {
        return undefined;
      }
      return closing.promise;
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
  const cleanup = finished(stream, (given) => {
    const error = webError(given);
    cleanup();
    stream.on('error', nothing);
    if (error) {
      controller.error(error);
    } else if (!isCancelled) {
      controller.close();
      if (isBytes) {
        controller.byobRequest?.respond(0);
      }
    }
  });
  stream.on('data', (given) => {
    // A copy: bytes that are handed over are gone for their pool.
    const chunk = Buffer.isBuffer(given) && !isObjectMode ? new Uint8Array(given) : given;
    controller.enqueue(chunk);
    if (controller.desiredSize <= 0) {
      stream.pause();
    }
  });
  return new ReadableStream({
    type: options.type,
    start(given) {
      controller = given;
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
  const isOver = isDestroyed(duplex);
  let writable;
  if (!isOver && isWritable(duplex)) {
    writable = newWritableStreamFromStreamWritable(duplex);
  } else {
    writable = new WritableStream();
    writable.close();
  }
  let readable;
  if (!isOver && isReadable(duplex)) {
    readable = newReadableStreamFromStreamReadable(duplex, { type });
  } else {
    readable = new ReadableStream({ type });
    readable.cancel();
  }
  return { writable, readable };
}

// --- from the web

/** `write`, `writev` and `final` over a writer. */
function writingMethods(writer, { decodeStrings, objectMode }, streamOf, isClosed) {
  const destroyIt = (error) => destroy(streamOf(), error);
  return {
    writev(chunks, callback) {
      const done = (error) => callSafely(callback, error, destroyIt);
      writer.ready.then(() => Promise.all(chunks.map(({ chunk }) => writer.write(chunk))).then(() => done(), done), done);
    },
    write(given, encoding, callback) {
      let chunk = given;
      if (typeof chunk === 'string' && decodeStrings && !objectMode) {
        const bytes = Buffer.from(chunk, encoding);
        chunk = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
      const done = (error) => callSafely(callback, error, destroyIt);
      writer.ready.then(() => writer.write(chunk).then(() => done(), done), done);
    },
    final(callback) {
      const done = (error) => callSafely(callback, error, destroyIt);
      if (!isClosed()) {
        writer.close().then(() => done(), done);
      }
    },
  };
}

function readFrom(reader, streamOf) {
  return () => {
    reader.read().then(({ value, done }) => {
      streamOf().push(done ? null : value);
    }, (error) => destroy(streamOf(), error));
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
    ...writingMethods(writer, { decodeStrings, objectMode }, () => writable, () => isClosed),
    destroy(error, callback) {
      const done = () => callSafely(callback, error, throwIt);
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
    read: readFrom(reader, () => readable),
    destroy(error, callback) {
      const done = () => callSafely(callback, error, throwIt);
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
  let isWritingOver = false;
  let isReadingOver = false;
  const duplex = new Duplex({
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    ...writingMethods(writer, { decodeStrings, objectMode }, () => duplex, () => isWritingOver),
    read: readFrom(reader, () => duplex),
    destroy(error, callback) {
      const done = () => callSafely(callback, error, throwIt);
      if (isWritingOver && isReadingOver) {
        done();
        return;
      }
      Promise.all([
        isWritingOver ? undefined : writer.abort(error),
        isReadingOver ? undefined : reader.cancel(error),
      ]).then(done, done);
    },
  });
  const failed = (error) => {
    isWritingOver = true;
    isReadingOver = true;
    destroy(duplex, error);
  };
  writer.closed.then(() => {
    isWritingOver = true;
  }, failed);
  reader.closed.then(() => {
    isReadingOver = true;
  }, failed);
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
