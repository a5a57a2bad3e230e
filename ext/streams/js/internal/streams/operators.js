// What streams to read from can do as arrays can: map, filter, reduce ... In: a stream as `this`,
// functions, { concurrency, signal }. Out: async iterators for those that give streams, promises
// for the others. Absent: putting them on the prototype (stream.js).
'use strict';

const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateFunction, validateInteger, validateObject } = require('internal/validators');

const nothing = Symbol('kEmpty');
const end = Symbol('kEof');

function checkOptions(options) {
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
  checkOptions(options);
  const concurrency = options?.concurrency != null ? Math.floor(options.concurrency) : 1;
  let mark = options?.highWaterMark != null ? Math.floor(options.highWaterMark) : concurrency - 1;
  validateInteger(concurrency, 'options.concurrency', 1);
  validateInteger(mark, 'options.highWaterMark', 0);
  mark += concurrency;
  return mapped(this, fn, { concurrency, mark, signal: options?.signal });
}

async function* mapped(stream, fn, { concurrency, mark, signal: given }) {
  const signal = AbortSignal.any(given ? [given] : []);
  /** Promises of results, in the order of the chunks. */
  const queue = [];
  let underWay = 0;
  let isDone = false;
  let wakeReader = null;
  let wakePump = null;

  const wakePumpMaybe = () => {
    if (wakePump && !isDone && underWay < concurrency && queue.length < mark) {
      wakePump();
      wakePump = null;
    }
  };
  const settled = () => {
    underWay--;
    wakePumpMaybe();
  };
  const failed = () => {
    isDone = true;
    settled();
  };
  const tellReader = () => {
    if (wakeReader) {
      wakeReader();
      wakeReader = null;
    }
  };
  const enqueue = (result) => {
    underWay++;
    result.then(settled, failed);
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
          result = fn(chunk, { signal });
          if (result === nothing) {
            continue;
          }
          result = Promise.resolve(result);
        } catch (error) {
          result = Promise.reject(error);
        }
        enqueue(result);
        tellReader();
        if (!isDone && (queue.length >= mark || underWay >= concurrency)) {
          await new Promise((resolve) => {
            wakePump = resolve;
          });
        }
      }
      queue.push(end);
    } catch (error) {
      enqueue(Promise.reject(error));
    } finally {
      isDone = true;
      tellReader();
    }
  };

  pump();
  try {
    for (;;) {
      while (queue.length > 0) {
        const value = await queue[0];
        if (value === end) {
          return;
        }
        throwIfAborted(signal);
        if (value !== nothing) {
          yield value;
        }
        queue.shift();
        wakePumpMaybe();
      }
      await new Promise((resolve) => {
        wakeReader = resolve;
      });
    }
  } finally {
    isDone = true;
    if (wakePump) {
      wakePump();
      wakePump = null;
    }
  }
}

function filter(fn, options) {
  validateFunction(fn, 'fn');
  return map.call(this, async (value, { signal }) => ((await fn(value, { signal })) ? value : nothing), options);
}

function flatMap(fn, options) {
  const values = map.call(this, fn, options);
  return (async function* () {
    for await (const value of values) {
      yield* value;
    }
  })();
}

function countOf(given) {
  const count = Number(given);
  if (Number.isNaN(count)) {
    return 0;
  }
  if (count < 0) {
    throw new codes.ERR_OUT_OF_RANGE('number', '>= 0', count);
  }
  return count;
}

function drop(number, options) {
  checkOptions(options);
  let left = countOf(number);
  const stream = this;
  return (async function* () {
    throwIfAborted(options?.signal);
    for await (const value of stream) {
      throwIfAborted(options?.signal);
      if (left-- <= 0) {
        yield value;
      }
    }
  })();
}

function take(number, options) {
  checkOptions(options);
  let left = countOf(number);
  const stream = this;
  return (async function* () {
    throwIfAborted(options?.signal);
    for await (const value of stream) {
      throwIfAborted(options?.signal);
      if (left-- > 0) {
        yield value;
      }
      // Not with the next one: that may never come.
      if (left <= 0) {
        return;
      }
    }
  })();
}

async function forEach(fn, options) {
  validateFunction(fn, 'fn');
  const call = async (value, { signal }) => {
    await fn(value, { signal });
    return nothing;
  };
  for await (const _ of map.call(this, call, options)); // eslint-disable-line no-unused-vars
}

async function toArray(options) {
  checkOptions(options);
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
  checkOptions(options);
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
  giveStreams: { drop, filter, flatMap, map, take },
  givePromises: { every, forEach, reduce, toArray, some, find },
};
