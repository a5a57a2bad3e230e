// Readable streams made from other sources: `Readable.from` for iterables, `wrap` for old-style
// streams. In: an iterable or such a stream. Out: a Readable. Absent: web streams
// (internal/webstreams/adapters).
'use strict';

const process = require('process');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_NULL_VALUES } } = require('internal/errors');
const { errorOrDestroy } = require('internal/streams/destroy');

function from(Readable, iterable, options) {
  // A string or a Buffer is one chunk, not a sequence of characters or bytes.
  if (typeof iterable === 'string' || iterable instanceof require('buffer').Buffer) {
    return new Readable({
      objectMode: true,
      ...options,
      read() {
        this.push(iterable);
        this.push(null);
      },
    });
  }
  let isAsync = false;
  let iterator;
  if (iterable?.[Symbol.asyncIterator]) {
    isAsync = true;
    iterator = iterable[Symbol.asyncIterator]();
  } else if (iterable?.[Symbol.iterator]) {
    iterator = iterable[Symbol.iterator]();
  } else {
    throw new ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
  }
  const stream = new Readable({ objectMode: true, highWaterMark: 1, ...options });
  let isReading = false;
  stream._read = () => {
    if (!isReading) {
      isReading = true;
      const next = isAsync ? nextAsync : nextSyncWithSyncValues;
      next(stream, iterator, () => {
        isReading = false;
      });
    }
  };
  stream._destroy = (error, callback) => {
    close(iterator, error).then(
      () => process.nextTick(callback, error),
      (other) => process.nextTick(callback, other || error),
    );
  };
  return stream;
}

/** Closes the iterator, so that it can clean up. */
async function close(iterator, error) {
  const hasError = error !== undefined && error !== null;
  if (hasError && typeof iterator.throw === 'function') {
    const { value, done } = await iterator.throw(error);
    await value;
    if (done) {
      return;
    }
  }
  if (typeof iterator.return === 'function') {
    const { value } = await iterator.return();
    await value;
  }
}

const isThenable = (value) => value !== null && value !== undefined && typeof value.then === 'function';

/** Iterates without promises while the values are not promises. */
function nextSyncWithSyncValues(stream, iterator, stopReading) {
  for (;;) {
    let step;
    try {
      step = iterator.next();
    } catch (error) {
      stream.destroy(error);
      return;
    }
    const { value, done } = step;
    if (done) {
      stream.push(null);
      return;
    }
    if (isThenable(value)) {
      nextSyncWithAsyncValues(stream, iterator, stopReading, value);
      return;
    }
    if (!pushChunk(stream, value, stopReading)) {
      return;
    }
  }
}

async function nextSyncWithAsyncValues(stream, iterator, stopReading, promise) {
  try {
    if (pushChunk(stream, await promise, stopReading)) {
      nextSyncWithSyncValues(stream, iterator, stopReading);
    }
  } catch (error) {
    stream.destroy(error);
  }
}

async function nextAsync(stream, iterator, stopReading) {
  for (;;) {
    try {
      const { value, done } = await iterator.next();
      if (done) {
        stream.push(null);
        return;
      }
      const chunk = isThenable(value) ? await value : value;
      if (!pushChunk(stream, chunk, stopReading)) {
        return;
      }
    } catch (error) {
      stream.destroy(error);
      return;
    }
  }
}

/** Pushes a chunk. Returns whether the stream takes more. */
function pushChunk(stream, chunk, stopReading) {
  if (chunk === null) {
    stopReading();
    throw new ERR_STREAM_NULL_VALUES();
  }
  if (stream.push(chunk)) {
    return true;
  }
  stopReading();
  return false;
}

function wrap(target, source) {
  let isPaused = false;
  source.on('data', (chunk) => {
    if (!target.push(chunk) && source.pause) {
      isPaused = true;
      source.pause();
    }
  });
  source.on('end', () => target.push(null));
  source.on('error', (error) => errorOrDestroy(target, error));
  source.on('close', () => target.destroy());
  source.on('destroy', () => target.destroy());
  target._read = () => {
    if (isPaused && source.resume) {
      isPaused = false;
      source.resume();
    }
  };
  // Other methods of the old stream.
  for (const name of Object.keys(source)) {
    if (target[name] === undefined && typeof source[name] === 'function') {
      target[name] = source[name].bind(source);
    }
  }
  return target;
}

module.exports = { from, wrap };
