// Streams to read from, made of something else: `Readable.from` of whatever can be iterated, `wrap`
// of streams of old makes. In: that. Out: a Readable. Absent: streams of the web
// (internal/webstreams/adapters).
'use strict';

const process = require('process');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_NULL_VALUES } } = require('internal/errors');
const { errorOrDestroy } = require('internal/streams/destroy');

function from(Readable, iterable, options) {
  // A text or a Buffer is one chunk, not many characters.
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
      const run = isAsync ? pumpAsync : pumpSync;
      run(stream, iterator, () => {
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

/** Lets the iterator clean up behind itself. */
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

/** Without promises as long as there are none among the values. */
function pumpSync(stream, iterator, full) {
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
      pumpLate(stream, iterator, full, value);
      return;
    }
    if (!give(stream, value, full)) {
      return;
    }
  }
}

async function pumpLate(stream, iterator, full, promise) {
  try {
    if (give(stream, await promise, full)) {
      pumpSync(stream, iterator, full);
    }
  } catch (error) {
    stream.destroy(error);
  }
}

async function pumpAsync(stream, iterator, full) {
  for (;;) {
    try {
      const { value, done } = await iterator.next();
      if (done) {
        stream.push(null);
        return;
      }
      const chunk = isThenable(value) ? await value : value;
      if (!give(stream, chunk, full)) {
        return;
      }
    } catch (error) {
      stream.destroy(error);
      return;
    }
  }
}

/** Says whether the stream takes more. */
function give(stream, chunk, full) {
  if (chunk === null) {
    full();
    throw new ERR_STREAM_NULL_VALUES();
  }
  if (stream.push(chunk)) {
    return true;
  }
  full();
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
  // What else the old one can do.
  for (const name of Object.keys(source)) {
    if (target[name] === undefined && typeof source[name] === 'function') {
      target[name] = source[name].bind(source);
    }
  }
  return target;
}

module.exports = { from, wrap };
