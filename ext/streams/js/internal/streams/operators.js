// Array-like operators of readable streams: map, filter, reduce and so on. In: a stream as `this`,
// functions, { concurrency, signal }. Out: async iterators for the operators that return streams,
// promises for the others. Follows Node's lib/internal/streams/operators.js. Absent: their
// definition on the prototype (stream.js).
'use strict';

const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateFunction, validateInteger, validateObject } = require('internal/validators');

const kEmpty = Symbol('kEmpty');
const kEof = Symbol('kEof');

function validateOptions(options) {
  if (options != null) {
    validateObject(options, 'options');
  }
  if (options?.signal != null) {
    validateAbortSignal(options.signal, 'options.signal');
  }
}

function throwIfAborted(signal) {
  if (signal?.aborted) {
    throw new AbortError(undefined, { cause: signal.reason });
  }
}

function map(fn, options) {
  validateFunction(fn, 'fn');
  validateOptions(options);
  const concurrency = options?.concurrency != null ? Math.floor(options.concurrency) : 1;
  let highWaterMark = options?.highWaterMark != null ? Math.floor(options.highWaterMark) : concurrency - 1;
  validateInteger(concurrency, 'options.concurrency', 1);
  validateInteger(highWaterMark, 'options.highWaterMark', 0);
  highWaterMark += concurrency;
  return mapChunks(this, fn, { concurrency, highWaterMark, signal: options?.signal });
}

async function* mapChunks(stream, fn, { concurrency, highWaterMark, signal: outerSignal }) {
  const signal = AbortSignal.any(outerSignal ? [outerSignal] : []);
  // That of the first read.
  const run = require('internal/async_context').bind(fn);
  /** Promises of the results, in the order of the chunks. */
  const queue = [];
  let inFlight = 0;
  let isDone = false;
  let resumeReader = null;
  let resumePump = null;

  const maybeResume = () => {
    if (resumePump && !isDone && inFlight < concurrency && queue.length < highWaterMark) {
      resumePump();
      resumePump = null;
    }
  };
  const afterItemProcessed = () => {
    inFlight--;
    maybeResume();
  };
  const onCatch = () => {
    isDone = true;
    afterItemProcessed();
  };
  const notifyReader = () => {
    if (resumeReader) {
      resumeReader();
      resumeReader = null;
    }
  };
  const enqueue = (result) => {
    inFlight++;
    result.then(afterItemProcessed, onCatch);
    queue.push(result);
  };
  const pump = async () => {
    try {
      for await (const chunk of stream) {
        if (isDone) {
          return;
        }
        throwIfAborted(signal);
        let result;
        try {
          result = run(chunk, { signal });
          if (result === kEmpty) {
            continue;
          }
          result = Promise.resolve(result);
        } catch (error) {
          result = Promise.reject(error);
        }
        enqueue(result);
        notifyReader();
        if (!isDone && (queue.length >= highWaterMark || inFlight >= concurrency)) {
          await new Promise((resolve) => {
            resumePump = resolve;
          });
        }
      }
      queue.push(kEof);
    } catch (error) {
      enqueue(Promise.reject(error));
    } finally {
      isDone = true;
      notifyReader();
    }
  };

  pump();
  try {
    for (;;) {
      while (queue.length > 0) {
        const value = await queue[0];
        if (value === kEof) {
          return;
        }
        throwIfAborted(signal);
        if (value !== kEmpty) {
          yield value;
        }
        queue.shift();
        maybeResume();
      }
      await new Promise((resolve) => {
        resumeReader = resolve;
      });
    }
  } finally {
    isDone = true;
    if (resumePump) {
      resumePump();
      resumePump = null;
    }
  }
}

function filter(fn, options) {
  validateFunction(fn, 'fn');
  return map.call(this, async (value, { signal }) => ((await fn(value, { signal })) ? value : kEmpty), options);
}

function flatMap(fn, options) {
  const values = map.call(this, fn, options);
  return (async function* () {
    for await (const value of values) {
      yield* value;
    }
  })();
}

function toIntegerOrInfinity(value) {
  const count = Number(value);
  if (Number.isNaN(count)) {
    return 0;
  }
  if (count < 0) {
    throw new codes.ERR_OUT_OF_RANGE('number', '>= 0', count);
  }
  return count;
}

function drop(number, options) {
  validateOptions(options);
  let remaining = toIntegerOrInfinity(number);
  const stream = this;
  return (async function* () {
    throwIfAborted(options?.signal);
    for await (const value of stream) {
      throwIfAborted(options?.signal);
      if (remaining-- <= 0) {
        yield value;
      }
    }
  })();
}

function take(number, options) {
  validateOptions(options);
  let remaining = toIntegerOrInfinity(number);
  const stream = this;
  return (async function* () {
    throwIfAborted(options?.signal);
    for await (const value of stream) {
      throwIfAborted(options?.signal);
      if (remaining-- > 0) {
        yield value;
      }
      // Ends now, because the next chunk may never arrive.
      if (remaining <= 0) {
        return;
      }
    }
  })();
}

async function forEach(fn, options) {
  validateFunction(fn, 'fn');
  const call = async (value, { signal }) => {
    await fn(value, { signal });
    return kEmpty;
  };
  for await (const _ of map.call(this, call, options)); // eslint-disable-line no-unused-vars
}

async function toArray(options) {
  validateOptions(options);
  const result = [];
  for await (const value of this) {
    throwIfAborted(options?.signal);
    result.push(value);
  }
  return result;
}

async function find(fn, options) {
  for await (const result of filter.call(this, fn, options)) {
    return result;
  }
  return undefined;
}

async function some(fn, options) {
  for await (const _ of filter.call(this, fn, options)) { // eslint-disable-line no-unused-vars
    return true;
  }
  return false;
}

async function every(fn, options) {
  validateFunction(fn, 'fn');
  return !(await some.call(this, async (...args) => !(await fn(...args)), options));
}

async function reduce(reducer, initial, options) {
  validateFunction(reducer, 'reducer');
  validateOptions(options);
  let hasValue = arguments.length > 1;
  let value = initial;
  if (options?.signal?.aborted) {
    const error = new AbortError(undefined, { cause: options.signal.reason });
    this.once('error', () => {});
    await require('internal/streams/end-of-stream').finished(this.destroy(error));
    throw error;
  }
  const controller = new AbortController();
  const { signal } = controller;
  if (options?.signal) {
    options.signal.addEventListener('abort', () => controller.abort(), { once: true });
  }
  let isEmpty = true;
  try {
    for await (const chunk of this) {
      isEmpty = false;
      if (options?.signal?.aborted) {
        throw new AbortError();
      }
      if (hasValue) {
        value = await reducer(value, chunk, { signal });
      } else {
        value = chunk;
        hasValue = true;
      }
    }
    if (isEmpty && !hasValue) {
      throw Object.assign(new codes.ERR_MISSING_ARGS('reduce'), { message: 'Reduce of an empty stream requires an initial value' });
    }
  } finally {
    controller.abort();
  }
  return value;
}

module.exports = {
  streamReturningOperators: { drop, filter, flatMap, map, take },
  promiseReturningOperators: { every, forEach, reduce, toArray, some, find },
};
