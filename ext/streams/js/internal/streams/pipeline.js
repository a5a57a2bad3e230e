// Streams one behind the other, with errors carried on. In: streams of Node's and the web's,
// iterables, functions that make iterables of iterables. Out: the last one; when all is over, or
// one fails, all are destroyed and the callback is called. Absent: `pipe` (pipe.js).
'use strict';

const process = require('process');
const { eos } = require('internal/streams/end-of-stream');
const { destroyer: destroyAny } = require('internal/streams/destroy');
const { aggregateTwoErrors, AbortError, codes } = require('internal/errors');
const { validateFunction, validateAbortSignal } = require('internal/validators');
const {
  isIterable, isReadable, isReadableNodeStream, isNodeStream, isTransformStream, isWebStream, isReadableStream, isReadableFinished,
} = require('internal/streams/utils');

function pipeline(...streams) {
  const callback = streams.pop();
  validateFunction(callback, 'streams[stream.length - 1]');
  let isCalled = false;
  return connect(streams, (error, value) => {
    if (!isCalled) {
      isCalled = true;
      callback(error, value);
    }
  });
}

/**
 * All that one pipeline knows: how many parts are under way, what is to be destroyed, how it ended.
 */
class Line {
  constructor(callback, options) {
    this.callback = require('internal/async_context').bind(callback);
    this.options = options;
    this.controller = new AbortController();
    this.underWay = 0;
    this.error = undefined;
    this.value = undefined;
    /** Each takes an error. */
    this.destroys = [];
    /** What the last stream is rid of when all went well: it may be used on. */
    this.cleanups = [];
    this.stop = undefined;
  }

  get signal() {
    return this.controller.signal;
  }

  abort = () => {
    this.end(new AbortError(undefined, { cause: this.options?.signal?.reason }), undefined);
  };

  /** A part is over. */
  finish = (error) => {
    this.end(error, --this.underWay === 0);
  };

  fail = (error) => {
    this.end(error, false);
  };

  end(error, isLast) {
    if (error && (!this.error || this.error.code === 'ERR_STREAM_PREMATURE_CLOSE')) {
      this.error = error;
    }
    if (!this.error && !isLast) {
      return;
    }
    while (this.destroys.length > 0) {
      this.destroys.shift()(this.error);
    }
    this.stop?.();
    this.controller.abort();
    if (isLast) {
      if (!this.error) {
        this.cleanups.forEach((cleanup) => cleanup());
      }
      process.nextTick(this.callback, this.error, this.value);
    }
  }
}

function connect(given, callback, options) {
  const streams = given.length === 1 && Array.isArray(given[0]) ? given[0] : given;
  if (streams.length < 2) {
    throw new codes.ERR_MISSING_ARGS('streams');
  }
  const line = new Line(callback, options);
  const outer = options?.signal;
  validateAbortSignal(outer, 'options.signal');
  if (outer && !outer.aborted) {
    line.stop = require('internal/streams/add-abort-signal').onAbort(outer, line.abort);
  }
  let made;
  for (let i = 0; i < streams.length; i++) {
    const stream = streams[i];
    const place = {
      index: i,
      isRead: i < streams.length - 1,
      isWritten: i > 0,
      isEnding: i < streams.length - 1 || options?.end !== false,
    };
    if (isNodeStream(stream)) {
      const next = streams[i + 1];
      if (next?.closed || next?.destroyed) {
        throw new codes.ERR_STREAM_UNABLE_TO_PIPE();
      }
      watch(line, stream, place);
    }
    made = i === 0 ? first(line, stream) : follow(line, made, stream, place);
  }
  if (line.signal.aborted || outer?.aborted) {
    process.nextTick(line.abort);
  }
  return made;
}

function watch(line, stream, place) {
  const isLast = !place.isRead;
  if (place.isEnding) {
    addDestroy(line, stream, place, isLast && isReadable(stream));
  }
  const onerror = (error) => {
    // These two are what the others' ends look like from here.
    if (error && error.name !== 'AbortError' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      line.fail(error);
    }
  };
  stream.on('error', onerror);
  if (isLast && isReadable(stream)) {
    line.cleanups.push(() => stream.removeListener('error', onerror));
  }
}

function addDestroy(line, stream, { isRead, isWritten }, isCleanedUp) {
  let isOver = false;
  stream.on('close', () => {
    isOver = true;
  });
  const cleanup = eos(stream, { readable: isRead, writable: isWritten }, (error) => {
    isOver = !error;
  });
  line.destroys.push((error) => {
    if (!isOver) {
      isOver = true;
      destroyAny(stream, error || new codes.ERR_STREAM_DESTROYED('pipe'));
    }
  });
  if (isCleanedUp) {
    line.cleanups.push(cleanup);
  }
}

function first(line, stream) {
  if (typeof stream === 'function') {
    const made = stream({ signal: line.signal });
    if (!isIterable(made)) {
      throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', made);
    }
    return made;
  }
  if (isIterable(stream) || isReadableNodeStream(stream) || isTransformStream(stream)) {
    return stream;
  }
  return require('internal/streams/duplex').from(stream);
}

/** Connects `source` to what comes behind it; gives what the next one is to be connected to. */
function follow(line, source, stream, place) {
  if (typeof stream === 'function') {
    return call(line, source, stream, place);
  }
  if (isNodeStream(stream)) {
    toNode(line, source, stream, place);
    return stream;
  }
  if (isWebStream(stream)) {
    const from = isReadableNodeStream(source) ? iterableOf(source) : isReadableStream(source) || isIterable(source) ? source :
      isTransformStream(source) ? source.readable : undefined;
    if (from === undefined) {
      throw wrongSource(source);
    }
    line.underWay++;
    pumpToWeb(from, stream, line.finish, place);
    return stream;
  }
  return require('internal/streams/duplex').from(stream);
}

const wrongSource = (source) =>
  new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream', 'TransformStream'], source);

function call(line, source, transform, place) {
  const from = iterableOf(isTransformStream(source) ? source.readable : source);
  const made = transform(from, { signal: line.signal });
  if (place.isRead) {
    if (!isIterable(made, true)) {
      throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${place.index - 1}]`, made);
    }
    return made;
  }
  // The last one: what it gives, if anything, is the pipeline's result.
  const PassThrough = require('internal/streams/passthrough');
  const result = new PassThrough({ objectMode: true });
  const then = made?.then;
  if (typeof then === 'function') {
    line.underWay++;
    then.call(made, (value) => {
      line.value = value;
      if (value !== null && value !== undefined) {
        result.write(value);
      }
      if (place.isEnding) {
        result.end();
      }
      process.nextTick(line.finish);
    }, (error) => {
      result.destroy(error);
      process.nextTick(line.finish, error);
    });
  } else if (isIterable(made, true)) {
    line.underWay++;
    pumpToNode(made, result, line.finish, place);
  } else if (isReadableStream(made) || isTransformStream(made)) {
    line.underWay++;
    pumpToNode(made.readable || made, result, line.finish, place);
  } else {
    throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', made);
  }
  addDestroy(line, result, { isRead: false, isWritten: true }, true);
  return result;
}

function iterableOf(source) {
  if (isIterable(source)) {
    return source;
  }
  if (isReadableNodeStream(source)) {
    // An old stream has no iterator.
    return (async function* () {
      const Readable = require('internal/streams/readable');
      yield* Readable.prototype[Symbol.asyncIterator].call(source);
    })();
  }
  throw new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], source);
}

function toNode(line, source, stream, place) {
  if (isReadableNodeStream(source)) {
    line.underWay += 2;
    const cleanup = pipe(source, stream, line, place);
    if (!place.isRead && isReadable(stream)) {
      line.cleanups.push(cleanup);
    }
  } else if (isTransformStream(source) || isReadableStream(source)) {
    line.underWay++;
    pumpToNode(source.readable || source, stream, line.finish, place);
  } else if (isIterable(source)) {
    line.underWay++;
    pumpToNode(source, stream, line.finish, place);
  } else {
    throw wrongSource(source);
  }
}

function pipe(source, target, line, { isEnding }) {
  let isEnded = false;
  target.on('close', () => {
    if (!isEnded) {
      line.fail(new codes.ERR_STREAM_PREMATURE_CLOSE());
    }
  });
  // Ended here, so that it is known that it was.
  source.pipe(target, { end: false });
  if (isEnding) {
    const end = () => {
      isEnded = true;
      target.end();
    };
    if (isReadableFinished(source)) {
      process.nextTick(end);
    } else {
      source.once('end', end);
    }
  } else {
    line.finish();
  }
  eos(source, { readable: true, writable: false }, (error) => {
    const state = source._readableState;
    if (error && error.code === 'ERR_STREAM_PREMATURE_CLOSE' && state?.ended && !state.errored && !state.errorEmitted) {
      // Some close before their 'end', though all was read.
      source.once('end', line.finish).once('error', line.finish);
    } else {
      line.finish(error);
    }
  });
  return eos(target, { readable: false, writable: true }, line.finish);
}

async function pumpToNode(iterable, target, finish, { isEnding }) {
  let failure;
  let wake = null;
  const woken = (error) => {
    if (error) {
      failure = error;
    }
    if (wake) {
      const call = wake;
      wake = null;
      call();
    }
  };
  const drained = () => new Promise((resolve, reject) => {
    const settle = () => (failure ? reject(failure) : resolve());
    if (failure) {
      settle();
    } else {
      wake = settle;
    }
  });
  target.on('drain', woken);
  const cleanup = eos(target, { readable: false }, woken);
  try {
    if (target.writableNeedDrain) {
      await drained();
    }
    for await (const chunk of iterable) {
      if (!target.write(chunk)) {
        await drained();
      }
    }
    if (isEnding) {
      target.end();
      await drained();
    }
    finish();
  } catch (error) {
    finish(failure !== error ? aggregateTwoErrors(failure, error) : error);
  } finally {
    cleanup();
    target.off('drain', woken);
  }
}

async function pumpToWeb(iterable, stream, finish, { isEnding }) {
  const writer = (isTransformStream(stream) ? stream.writable : stream).getWriter();
  try {
    for await (const chunk of iterable) {
      await writer.ready;
      writer.write(chunk).catch(() => {});
    }
    await writer.ready;
    if (isEnding) {
      await writer.close();
    }
    finish();
  } catch (error) {
    try {
      await writer.abort(error);
      finish(error);
    } catch (other) {
      finish(other);
    }
  }
}

module.exports = { pipeline, connect };
