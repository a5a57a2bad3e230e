// `Duplex.from`. In: a stream of any kind, a pair of them, an iterable, a promise, a function that
// takes an iterable, a Blob. Out: a Duplex with the sides that the input has. Follows Node's
// lib/internal/streams/duplexify.js. Absent: several streams as one (compose.js).
'use strict';

const process = require('process');
const Duplex = require('internal/streams/duplex');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const { from } = require('internal/streams/readable_from');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end-of-stream');
const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE } } = require('internal/errors');
const {
  isDuplexNodeStream, isIterable, isNodeStream, isReadable, isReadableNodeStream, isReadableStream, isWritable,
  isWritableNodeStream, isWritableStream,
} = require('internal/streams/utils');

class Duplexify extends Duplex {}

const isThenable = (value) => typeof value?.then === 'function';
const isBlob = (value) => typeof globalThis.Blob === 'function' && value instanceof globalThis.Blob;

function duplexify(body, name) {
  if (isDuplexNodeStream(body)) {
    return body;
  }
  if (isReadableNodeStream(body)) {
    return _duplexify({ readable: body });
  }
  if (isWritableNodeStream(body)) {
    return _duplexify({ writable: body });
  }
  if (isNodeStream(body)) {
    return _duplexify({ writable: false, readable: false });
  }
  if (isReadableStream(body)) {
    return _duplexify({ readable: Readable.fromWeb(body) });
  }
  if (isWritableStream(body)) {
    return _duplexify({ writable: Writable.fromWeb(body) });
  }
  if (typeof body === 'function') {
    return fromFunction(body, name);
  }
  if (isBlob(body)) {
    return duplexify(body.arrayBuffer());
  }
  if (isIterable(body)) {
    return from(Duplexify, body, { objectMode: true, writable: false });
  }
  if (isReadableStream(body?.readable) && isWritableStream(body?.writable)) {
    return Duplexify.fromWeb(body);
  }
  if (typeof body?.writable === 'object' || typeof body?.readable === 'object') {
    const { readable, writable } = body;
    return _duplexify({
      readable: readable ? (isReadableNodeStream(readable) ? readable : duplexify(readable)) : undefined,
      writable: writable ? (isWritableNodeStream(writable) ? writable : duplexify(writable)) : undefined,
    });
  }
  if (isThenable(body)) {
    return fromPromise(body);
  }
  throw new ERR_INVALID_ARG_TYPE(name, [
    'Blob', 'ReadableStream', 'WritableStream', 'Stream', 'Iterable', 'AsyncIterable', 'Function', '{ readable, writable } pair', 'Promise',
  ], body);
}

function fromPromise(promise) {
  const duplex = new Duplexify({ objectMode: true, writable: false, read() {} });
  promise.then((value) => {
    if (value !== null && value !== undefined) {
      duplex.push(value);
    }
    duplex.push(null);
  }, (error) => destroyer(duplex, error));
  return duplex;
}

function fromFunction(body, name) {
  const { value, write, final, destroy } = fromAsyncGen(body);
  if (isDuplexNodeStream(value)) {
    return value;
  }
  if (isIterable(value)) {
    return from(Duplexify, value, { objectMode: true, write, final, destroy });
  }
  if (!isThenable(value)) {
    throw new ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, value);
  }
  let duplex;
  const done = value.then((result) => {
    if (result !== null && result !== undefined) {
      throw new ERR_INVALID_RETURN_VALUE('nully', 'body', result);
    }
  }, (error) => destroyer(duplex, error));
  duplex = new Duplexify({
    objectMode: true,
    readable: false,
    write,
    final(callback) {
      final(async () => {
        try {
          await done;
          process.nextTick(callback, null);
        } catch (error) {
          process.nextTick(callback, error);
        }
      });
    },
    destroy,
  });
  return duplex;
}

/** Calls a function with the chunks that will be written, as an async iterable. */
function fromAsyncGen(body) {
  let next = Promise.withResolvers();
  const controller = new AbortController();
  const { signal } = controller;
  const chunks = (async function* () {
    for (;;) {
      const { promise } = next;
      const { chunk, done, callback } = await promise;
      process.nextTick(callback);
      if (done) {
        return;
      }
      if (signal.aborted) {
        throw new AbortError(undefined, { cause: signal.reason });
      }
      next = Promise.withResolvers();
      yield chunk;
    }
  })();
  const value = body(chunks, { signal });
  return {
    value,
    write(chunk, encoding, callback) {
      next.resolve({ chunk, done: false, callback });
    },
    final(callback) {
      next.resolve({ done: true, callback });
    },
    destroy(error, callback) {
      controller.abort();
      callback(error);
    },
  };
}

/** Makes a duplex of a readable and a writable stream. */
function _duplexify({ readable: source, writable: w }) {
  const r = source && typeof source.read !== 'function' ? Readable.wrap(source) : source;
  const readable = !!isReadable(r);
  const writable = !!isWritable(w);
  const pending = { drain: null, finish: null, readable: null, close: undefined };
  const callPending = (name) => {
    const callback = pending[name];
    if (callback) {
      pending[name] = null;
      callback();
    }
  };
  const onfinished = (error) => {
    const { close } = pending;
    pending.close = null;
    if (close) {
      close(error);
    } else if (error) {
      duplex.destroy(error);
    }
  };
  const duplex = new Duplexify({
    readableObjectMode: !!r?.readableObjectMode,
    writableObjectMode: !!w?.writableObjectMode,
    readable,
    writable,
  });
  if (writable) {
    eos(w, (error) => {
      if (error) {
        destroyer(r, error);
      }
      onfinished(error);
    });
    duplex._write = (chunk, encoding, callback) => {
      if (w.write(chunk, encoding)) {
        callback();
      } else {
        pending.drain = callback;
      }
    };
    duplex._final = (callback) => {
      w.end();
      pending.finish = callback;
    };
    w.on('drain', () => callPending('drain'));
    w.on('finish', () => callPending('finish'));
  }
  if (readable) {
    eos(r, (error) => {
      if (error) {
        destroyer(r, error);
      }
      onfinished(error);
    });
    r.on('readable', () => callPending('readable'));
    r.on('end', () => duplex.push(null));
    duplex._read = () => {
      for (;;) {
        const chunk = r.read();
        if (chunk === null) {
          pending.readable = duplex._read;
          return;
        }
        if (!duplex.push(chunk)) {
          return;
        }
      }
    };
  }
  duplex._destroy = (destroyError, callback) => {
    const error = destroyError || pending.close === null ? destroyError : new AbortError();
    pending.readable = null;
    pending.drain = null;
    pending.finish = null;
    if (pending.close === null) {
      callback(error);
    } else {
      pending.close = callback;
      destroyer(w, error);
      destroyer(r, error);
    }
  };
  return duplex;
}

module.exports = duplexify;
