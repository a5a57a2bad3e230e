// `pipeline`: connected streams with propagation of errors. In: Node and web streams, iterables,
// functions from an iterable to an iterable. Out: the last stream; when all have ended, or one
// fails, all are destroyed and the callback is called. Follows Node's
// lib/internal/streams/pipeline.js. Absent: `pipe` (pipe.js).
'use strict';

const process = require('process');
const { eos } = require('internal/streams/end-of-stream');
const { destroyer } = require('internal/streams/destroy');
const { aggregateTwoErrors, AbortError, codes } = require('internal/errors');
const { validateFunction, validateAbortSignal } = require('internal/validators');
const {
  isIterable, isReadable, isReadableNodeStream, isNodeStream, isTransformStream, isWebStream,
  isReadableStream, isReadableFinished,
} = require('internal/streams/utils');

function pipeline(...streams) {
  const callback = streams.pop();
  validateFunction(callback, 'streams[stream.length - 1]');
  let isCalled = false;
  return pipelineImpl(streams, (error, value) => {
    if (!isCalled) {
      isCalled = true;
      callback(error, value);
    }
  });
}

/** State of one pipeline: how many parts are pending, what to destroy, how it ended. */
class PipelineContext {
  constructor(callback, options) {
    this.callback = require('internal/async_context').bind(callback);
    this.options = options;
    this.controller = new AbortController();
    this.finishCount = 0;
    this.error = undefined;
    this.value = undefined;
    /** Functions that destroy a stream with an error. */
    this.destroys = [];
    /**
     * Functions that remove our listeners from the last stream after success: it may still be used.
     */
    this.cleanups = [];
    this.removeAbortListener = undefined;
  }

  get signal() {
    return this.controller.signal;
  }

  abort = () => {
    this.end(new AbortError(undefined, { cause: this.options?.signal?.reason }), undefined);
  };

  /** A part has ended. */
  finish = (error) => {
    this.end(error, --this.finishCount === 0);
  };

  finishOnlyHandleError = (error) => {
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
    this.removeAbortListener?.();
    this.controller.abort();
    if (isLast) {
      if (!this.error) {
        this.cleanups.forEach((cleanup) => cleanup());
      }
      process.nextTick(this.callback, this.error, this.value);
    }
  }
}

function pipelineImpl(sources, callback, options) {
  const streams = sources.length === 1 && Array.isArray(sources[0]) ? sources[0] : sources;
  if (streams.length < 2) {
    throw new codes.ERR_MISSING_ARGS('streams');
  }
  const context = new PipelineContext(callback, options);
  const outerSignal = options?.signal;
  validateAbortSignal(outerSignal, 'options.signal');
  if (outerSignal && !outerSignal.aborted) {
    context.removeAbortListener = require('internal/streams/add-abort-signal').addAbortHandler(outerSignal, context.abort);
  }
  let ret;
  for (let i = 0; i < streams.length; i++) {
    const stream = streams[i];
    const stage = {
      index: i,
      reading: i < streams.length - 1,
      writing: i > 0,
      end: i < streams.length - 1 || options?.end !== false,
    };
    if (isNodeStream(stream)) {
      const next = streams[i + 1];
      if (next?.closed || next?.destroyed) {
        throw new codes.ERR_STREAM_UNABLE_TO_PIPE();
      }
      handleNodeStream(context, stream, stage);
    }
    ret = i === 0 ? startSource(context, stream) : connectStage(context, ret, stream, stage);
  }
  if (context.signal.aborted || outerSignal?.aborted) {
    process.nextTick(context.abort);
  }
  return ret;
}

function handleNodeStream(context, stream, stage) {
  const isLast = !stage.reading;
  if (stage.end) {
    addDestroyer(context, stream, stage, isLast && isReadable(stream));
  }
  const onerror = (error) => {
    // Both follow from an error that another stream reports.
    if (error && error.name !== 'AbortError' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      context.finishOnlyHandleError(error);
    }
  };
  stream.on('error', onerror);
  if (isLast && isReadable(stream)) {
    context.cleanups.push(() => stream.removeListener('error', onerror));
  }
}

function addDestroyer(context, stream, { reading, writing }, isCleanedUp) {
  let finished = false;
  stream.on('close', () => {
    finished = true;
  });
  const cleanup = eos(stream, { readable: reading, writable: writing }, (error) => {
    finished = !error;
  });
  context.destroys.push((error) => {
    if (!finished) {
      finished = true;
      destroyer(stream, error || new codes.ERR_STREAM_DESTROYED('pipe'));
    }
  });
  if (isCleanedUp) {
    context.cleanups.push(cleanup);
  }
}

function startSource(context, stream) {
  if (typeof stream === 'function') {
    const ret = stream({ signal: context.signal });
    if (!isIterable(ret)) {
      throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', ret);
    }
    return ret;
  }
  if (isIterable(stream) || isReadableNodeStream(stream) || isTransformStream(stream)) {
    return stream;
  }
  return require('internal/streams/duplex').from(stream);
}

/** Connects `source` to the next stage. Returns the source of the stage after that. */
function connectStage(context, source, stream, stage) {
  if (typeof stream === 'function') {
    return callTransform(context, source, stream, stage);
  }
  if (isNodeStream(stream)) {
    connectToNode(context, source, stream, stage);
    return stream;
  }
  if (isWebStream(stream)) {
    const from = isReadableNodeStream(source) ? makeAsyncIterable(source) : isReadableStream(source) || isIterable(source) ? source :
      isTransformStream(source) ? source.readable : undefined;
    if (from === undefined) {
      throw invalidSource(source);
    }
    context.finishCount++;
    pumpToWeb(from, stream, context.finish, stage);
    return stream;
  }
  return require('internal/streams/duplex').from(stream);
}

const invalidSource = (source) =>
  new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream', 'TransformStream'], source);

function callTransform(context, source, transform, stage) {
  const from = makeAsyncIterable(isTransformStream(source) ? source.readable : source);
  const ret = transform(from, { signal: context.signal });
  if (stage.reading) {
    if (!isIterable(ret, true)) {
      throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${stage.index - 1}]`, ret);
    }
    return ret;
  }
  // The last stage: its value, if any, is the pipeline's result.
  const PassThrough = require('internal/streams/passthrough');
  const result = new PassThrough({ objectMode: true });
  const then = ret?.then;
  if (typeof then === 'function') {
    context.finishCount++;
    then.call(ret, (value) => {
      context.value = value;
      if (value !== null && value !== undefined) {
        result.write(value);
      }
      if (stage.end) {
        result.end();
      }
      process.nextTick(context.finish);
    }, (error) => {
      result.destroy(error);
      process.nextTick(context.finish, error);
    });
  } else if (isIterable(ret, true)) {
    context.finishCount++;
    pumpToNode(ret, result, context.finish, stage);
  } else if (isReadableStream(ret) || isTransformStream(ret)) {
    context.finishCount++;
    pumpToNode(ret.readable || ret, result, context.finish, stage);
  } else {
    throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', ret);
  }
  addDestroyer(context, result, { reading: false, writing: true }, true);
  return result;
}

function makeAsyncIterable(source) {
  if (isIterable(source)) {
    return source;
  }
  if (isReadableNodeStream(source)) {
    // An old-style stream has no iterator.
    return (async function* () {
      const Readable = require('internal/streams/readable');
      yield* Readable.prototype[Symbol.asyncIterator].call(source);
    })();
  }
  throw new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], source);
}

function connectToNode(context, source, stream, stage) {
  if (isReadableNodeStream(source)) {
    context.finishCount += 2;
    const cleanup = pipe(source, stream, context, stage);
    if (!stage.reading && isReadable(stream)) {
      context.cleanups.push(cleanup);
    }
  } else if (isTransformStream(source) || isReadableStream(source)) {
    context.finishCount++;
    pumpToNode(source.readable || source, stream, context.finish, stage);
  } else if (isIterable(source)) {
    context.finishCount++;
    pumpToNode(source, stream, context.finish, stage);
  } else {
    throw invalidSource(source);
  }
}

function pipe(source, dest, context, { end }) {
  let ended = false;
  dest.on('close', () => {
    if (!ended) {
      context.finishOnlyHandleError(new codes.ERR_STREAM_PREMATURE_CLOSE());
    }
  });
  // Ended below, so that `ended` records it.
  source.pipe(dest, { end: false });
  if (end) {
    const endFn = () => {
      ended = true;
      dest.end();
    };
    if (isReadableFinished(source)) {
      process.nextTick(endFn);
    } else {
      source.once('end', endFn);
    }
  } else {
    context.finish();
  }
  eos(source, { readable: true, writable: false }, (error) => {
    const state = source._readableState;
    if (error && error.code === 'ERR_STREAM_PREMATURE_CLOSE' && state?.ended && !state.errored && !state.errorEmitted) {
      // Some streams close before 'end' although all was read.
      source.once('end', context.finish).once('error', context.finish);
    } else {
      context.finish(error);
    }
  });
  return eos(dest, { readable: false, writable: true }, context.finish);
}

async function pumpToNode(iterable, writable, finish, { end }) {
  let streamError;
  let onresolve = null;
  const resume = (error) => {
    if (error) {
      streamError = error;
    }
    if (onresolve) {
      const call = onresolve;
      onresolve = null;
      call();
    }
  };
  const wait = () => new Promise((resolve, reject) => {
    const settle = () => (streamError ? reject(streamError) : resolve());
    if (streamError) {
      settle();
    } else {
      onresolve = settle;
    }
  });
  writable.on('drain', resume);
  const cleanup = eos(writable, { readable: false }, resume);
  try {
    if (writable.writableNeedDrain) {
      await wait();
    }
    for await (const chunk of iterable) {
      if (!writable.write(chunk)) {
        await wait();
      }
    }
    if (end) {
      writable.end();
      await wait();
    }
    finish();
  } catch (error) {
    finish(streamError !== error ? aggregateTwoErrors(streamError, error) : error);
  } finally {
    cleanup();
    writable.off('drain', resume);
  }
}

async function pumpToWeb(iterable, stream, finish, { end }) {
  const writer = (isTransformStream(stream) ? stream.writable : stream).getWriter();
  try {
    for await (const chunk of iterable) {
      await writer.ready;
      writer.write(chunk).catch(() => {});
    }
    await writer.ready;
    if (end) {
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

module.exports = { pipeline, pipelineImpl };
