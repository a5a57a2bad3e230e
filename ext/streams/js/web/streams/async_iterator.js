// Async iteration of ReadableStream, and ReadableStream.from: the Streams Standard 4.2.5. In: a
// reader's slots; an iterable. Out: an iterator with the built-in prototype; a stream. Absent: Node
// streams.
'use strict';

const core = require('web/streams/readable_core');
const {
  apply, nop, promiseThen, promiseResolvedWith, promiseRejectedWith, isObject, typeError,
  invalidThis,
} = require('web/streams/webidl_utils');

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype));

/** State of one iterator. The prototype object has no class, as in WebIDL. */
class AsyncIteratorState {
  reader;
  preventCancel;
  isFinished = false;
  /** true while a read is pending: calls are answered in order. */
  isReading = false;
  ongoingPromise = undefined;
  queuedCalls = 0;

  constructor(reader, preventCancel) {
    this.reader = reader;
    this.preventCancel = preventCancel;
  }

  /**
   * `isReturn`: a `return` waits even for calls that were answered, until the reactions to their
   * promises have run.
   */
  callInOrder(steps, isReturn) {
    const { ongoingPromise } = this;
    const isIdle = !this.isReading && this.queuedCalls === 0 && !this.isFinished && !isReturn;
    const result = ongoingPromise === undefined || isIdle ? steps() :
      this.queueCall(isReturn ? promiseThen(ongoingPromise, nop, nop) : ongoingPromise, steps);
    this.ongoingPromise = result;
    return result;
  }

  /** Runs the steps after the ongoing call. */
  queueCall(ongoingPromise, steps) {
    this.queuedCalls++;
    const run = () => {
      this.queuedCalls--;
      return steps();
    };
    return promiseThen(ongoingPromise, run, run);
  }

  nextSteps() {
    if (this.isFinished) {
      return promiseResolvedWith({ value: undefined, done: true });
    }
    this.isReading = true;
    return new Promise((resolve, reject) => {
      const state = this;
      const end = () => {
        this.isFinished = true;
        core.readableStreamReaderRelease(this.reader);
      };
      core.readableStreamDefaultReaderRead(this.reader, {
        chunk(value) {
          state.isReading = false;
          resolve({ value, done: false });
        },
        close() {
          state.isReading = false;
          end();
          resolve({ value: undefined, done: true });
        },
        error(reason) {
          state.isReading = false;
          end();
          reject(reason);
        },
      });
    });
  }

  returnSteps(value) {
    if (this.isFinished) {
      return promiseResolvedWith({ value, done: true });
    }
    this.isFinished = true;
    const { reader } = this;
    if (this.preventCancel) {
      core.readableStreamReaderRelease(reader);
      return promiseResolvedWith({ value, done: true });
    }
    const result = core.readableStreamCancel(reader.stream, value);
    core.readableStreamReaderRelease(reader);
    return promiseThen(result, () => ({ value, done: true }));
  }
}

const iteratorStates = new WeakMap();
const stateOf = (object) => (isObject(object) ? iteratorStates.get(object) : undefined);

const prototype = Object.create(AsyncIteratorPrototype, {
  next: {
    value: {
      next() {
        const state = stateOf(this);
        if (state === undefined) {
          return promiseRejectedWith(invalidThis('ReadableStreamAsyncIterator'));
        }
        return state.callInOrder(() => state.nextSteps(), false);
      },
    }.next,
    writable: true, enumerable: true, configurable: true,
  },
  return: {
    value: {
      return(value) {
        const state = stateOf(this);
        if (state === undefined) {
          return promiseRejectedWith(invalidThis('ReadableStreamAsyncIterator'));
        }
        return state.callInOrder(() => state.returnSteps(value), true);
      },
    }.return,
    writable: true, enumerable: true, configurable: true,
  },
});

function createAsyncIterator(reader, preventCancel) {
  const iterator = Object.create(prototype);
  iteratorStates.set(iterator, new AsyncIteratorState(reader, preventCancel));
  return iterator;
}

// --- from

function getIterator(iterable) {
  if (iterable === undefined || iterable === null) {
    throw notIterable(iterable);
  }
  const asyncMethod = iterable[Symbol.asyncIterator];
  const isAsync = asyncMethod !== undefined && asyncMethod !== null;
  const method = isAsync ? asyncMethod : iterable[Symbol.iterator];
  if (typeof method !== 'function') {
    throw notIterable(iterable);
  }
  const iterator = apply(method, iterable, []);
  if (!isObject(iterator)) {
    throw typeError('ERR_INVALID_STATE', 'Invalid state: The iterator method must return an object');
  }
  return { iterator, next: iterator.next, isAsync };
}

function notIterable(value) {
  const { codes: { ERR_ARG_NOT_ITERABLE } } = require('internal/errors');
  return new ERR_ARG_NOT_ITERABLE(typeof value === 'symbol' ? String(value) : value);
}

function readableStreamFromIterable(iterable) {
  const { iterator, next, isAsync } = getIterator(iterable);
  const { createReadableStream, readableStreamObject } = require('web/streams/readable');
  const checkResult = (result, check) => {
    if (!isObject(result)) {
      throw typeError('ERR_INVALID_STATE', 'Invalid state: The promise returned by the iterator.next() method must fulfill with an object');
    }
    return check(result);
  };
  const enqueueResult = (result) => checkResult(result, ({ done }) => {
    if (done) {
      slots.controller.close();
      return undefined;
    }
    const { value } = result;
    // The values of a synchronous iterator may be promises.
    if (isAsync) {
      slots.controller.enqueue(value);
      return undefined;
    }
    return promiseThen(promiseResolvedWith(value), (chunk) => slots.controller.enqueue(chunk));
  });
  const slots = createReadableStream({
    pull: () => {
      const result = apply(next, iterator, []);
      return isAsync ? promiseThen(promiseResolvedWith(result), enqueueResult) : enqueueResult(result);
    },
    cancel: (reason) => {
      const method = iterator.return;
      if (method === undefined || method === null) {
        return undefined;
      }
      const result = apply(method, iterator, [reason]);
      const check = (value) => checkResult(value, () => undefined);
      return isAsync ? promiseThen(promiseResolvedWith(result), check) : check(result);
    },
  }, undefined, 0);
  return readableStreamObject(slots);
}

module.exports = { createAsyncIterator, readableStreamFromIterable };
