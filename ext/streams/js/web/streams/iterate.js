// `for await` over a stream of the web, and streams of what can be iterated: the Streams Standard
// 4.2.5 and ReadableStream.from. In: a reader's slots; an iterable. Out: an iterator with the
// language's prototype; a stream. Absent: streams of Node's.
'use strict';

const core = require('web/streams/readable_core');
const { apply, nothing, then, resolvedWith, rejectedWith, isObject, typeError, invalidThis } = require('web/streams/webidl_utils');

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype));

/** The state of one loop; the prototype has no class, as WebIDL wants. */
class Loop {
  reader;
  preventCancel;
  isOver = false;
  /** Whether a read is under way: calls answer in order. */
  isWaiting = false;
  last = undefined;
  chained = 0;

  constructor(reader, preventCancel) {
    this.reader = reader;
    this.preventCancel = preventCancel;
  }

  /**
   * `isEnd`: of `return`, which waits even for calls that were answered and whose promises were not
   * looked at yet.
   */
  call(step, isEnd) {
    const { last } = this;
    const isFree = !this.isWaiting && this.chained === 0 && !this.isOver && !isEnd;
    const mine = last === undefined || isFree ? step() : this.chain(isEnd ? then(last, nothing, nothing) : last, step);
    this.last = mine;
    return mine;
  }

  /** Behind the call before it. */
  chain(last, step) {
    this.chained++;
    const run = () => {
      this.chained--;
      return step();
    };
    return then(last, run, run);
  }

  step() {
    if (this.isOver) {
      return resolvedWith({ value: undefined, done: true });
    }
    this.isWaiting = true;
    return new Promise((resolve, reject) => {
      const loop = this;
      const end = () => {
        this.isOver = true;
        core.release(this.reader);
      };
      core.read(this.reader, {
        chunk(value) {
          loop.isWaiting = false;
          resolve({ value, done: false });
        },
        close() {
          loop.isWaiting = false;
          end();
          resolve({ value: undefined, done: true });
        },
        error(reason) {
          loop.isWaiting = false;
          end();
          reject(reason);
        },
      });
    });
  }

  leave(value) {
    if (this.isOver) {
      return resolvedWith({ value, done: true });
    }
    this.isOver = true;
    const { reader } = this;
    if (this.preventCancel) {
      core.release(reader);
      return resolvedWith({ value, done: true });
    }
    const result = core.cancel(reader.stream, value);
    core.release(reader);
    return then(result, () => ({ value, done: true }));
  }
}

const loops = new WeakMap();
const slotsOf = (object) => (isObject(object) ? loops.get(object) : undefined);

const prototype = Object.create(AsyncIteratorPrototype, {
  next: {
    value: {
      next() {
        const loop = slotsOf(this);
        if (loop === undefined) {
          return rejectedWith(invalidThis('ReadableStreamAsyncIterator'));
        }
        return loop.call(() => loop.step(), false);
      },
    }.next,
    writable: true, enumerable: true, configurable: true,
  },
  return: {
    value: {
      return(value) {
        const loop = slotsOf(this);
        if (loop === undefined) {
          return rejectedWith(invalidThis('ReadableStreamAsyncIterator'));
        }
        return loop.call(() => loop.leave(value), true);
      },
    }.return,
    writable: true, enumerable: true, configurable: true,
  },
});

function iterate(reader, preventCancel) {
  const iterator = Object.create(prototype);
  loops.set(iterator, new Loop(reader, preventCancel));
  return iterator;
}

// --- from

function iteratorOf(iterable) {
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

function fromIterable(iterable) {
  const { iterator, next, isAsync } = iteratorOf(iterable);
  const { makeStream, streamObject } = require('web/streams/readable');
  const settle = (result, check) => {
    if (!isObject(result)) {
      throw typeError('ERR_INVALID_STATE', 'Invalid state: The promise returned by the iterator.next() method must fulfill with an object');
    }
    return check(result);
  };
  const give = (result) => settle(result, ({ done }) => {
    if (done) {
      slots.controller.close();
      return undefined;
    }
    const { value } = result;
    // The values of a plain iterator may be promises.
    if (isAsync) {
      slots.controller.enqueue(value);
      return undefined;
    }
    return then(resolvedWith(value), (chunk) => slots.controller.enqueue(chunk));
  });
  const slots = makeStream({
    pull: () => {
      const result = apply(next, iterator, []);
      return isAsync ? then(resolvedWith(result), give) : give(result);
    },
    cancel: (reason) => {
      const method = iterator.return;
      if (method === undefined || method === null) {
        return undefined;
      }
      const result = apply(method, iterator, [reason]);
      const check = (value) => settle(value, () => undefined);
      return isAsync ? then(resolvedWith(result), check) : check(result);
    },
  }, undefined, 0);
  return streamObject(slots);
}

module.exports = { iterate, fromIterable };
