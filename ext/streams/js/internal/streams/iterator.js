// Async iteration of readable streams. In: a stream, ours or an old-style one. Out: an async
// iterator of its chunks. It destroys the stream when the loop is left, unless `destroyOnReturn` is
// false. Absent: buffering; the stream does that.
'use strict';

const { validateObject, validateBoolean } = require('internal/validators');
const { aggregateTwoErrors } = require('internal/errors');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end-of-stream');

function iterator(stream, options) {
  if (options !== undefined) {
    validateObject(options, 'options');
    if (options.destroyOnReturn !== undefined) {
      validateBoolean(options.destroyOnReturn, 'options.destroyOnReturn');
    }
  }
  return streamToAsyncIterator(stream, options);
}

function streamToAsyncIterator(source, options) {
  const Readable = require('internal/streams/readable');
  const stream = typeof source.read === 'function' ? source : Readable.wrap(source, { objectMode: true });
  const iter = createAsyncIterator(stream, options);
  iter.stream = stream;
  return iter;
}

const nop = () => {};

async function* createAsyncIterator(stream, options) {
  let callback = nop;
  const next = () => {
    const call = callback;
    callback = nop;
    call();
  };
  const sleep = (resolve) => {
    callback = resolve;
  };
  stream.on('readable', next);
  /** undefined: open; null: ended; otherwise the error. */
  let streamError;
  const cleanup = eos(stream, { writable: false }, (error) => {
    streamError = error ? aggregateTwoErrors(streamError, error) : null;
    next();
  });
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) {
        yield chunk;
      } else if (streamError) {
        throw streamError;
      } else if (streamError === null) {
        return;
      } else {
        await new Promise(sleep);
      }
    }
  } catch (error) {
    streamError = aggregateTwoErrors(streamError, error);
    throw streamError;
  } finally {
    if ((streamError || options?.destroyOnReturn !== false) && (streamError === undefined || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      stream.off('readable', next);
      cleanup();
    }
  }
}

module.exports = { iterator, streamToAsyncIterator };
