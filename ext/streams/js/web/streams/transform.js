// TransformStream and its controller: the Streams Standard 6. In: a transformer. Out: a writable
// and a readable side; what is written to the one is transformed when the other has room. Absent:
// the sides themselves.
'use strict';

const { makeStream, streamObject } = require('web/streams/readable');
const { makeTransferable } = require('web/streams/transferable');
const { makeWritable, writableObject } = require('web/streams/writable');
const {
  apply, then, resolvedWith, newlyResolved, rejectedWith, deferred, Later, callbackOf, finishClass, illegalConstructor, invalidState,
  invalidThis, isObject, markOf, rangeError, sizeOf, strategyOf, wrongType,
} = require('web/streams/webidl_utils');

/**
 * A transform stream; `transformer` has `transform`, `flush`, `cancel`, which give promises or
 * undefined.
 */
class Transform {
  backpressure = true;
  change = new Later();
  transformer;
  readable;
  writable;
  /** The end that has begun, whichever side began it. */
  finish = undefined;

  constructor(transformer, writing, reading, start) {
    this.transformer = transformer;
    this.writable = makeWritable({
      write: (chunk) => this.write(chunk),
      close: () => this.close(),
      abort: (reason) => this.abort(reason),
    }, start, writing.mark, writing.size);
    this.readable = makeStream({
      pull: () => {
        this.setBackpressure(false);
        return this.change.promise;
      },
      cancel: (reason) => this.cancel(reason),
    }, start, reading.mark, reading.size);
  }

  setBackpressure(backpressure) {
    const before = this.change;
    this.change = new Later();
    this.backpressure = backpressure;
    before.resolve();
  }

  unblockWrite() {
    if (this.backpressure) {
      this.setBackpressure(false);
    }
  }

  clear() {
    this.transformer = undefined;
  }

  // --- what programs do in their transformer

  enqueue(chunk) {
    const { controller } = this.readable;
    if (!controller.mayEnqueue) {
      throw invalidState('Unable to enqueue');
    }
    try {
      controller.enqueue(chunk);
    } catch (reason) {
      this.errorWritable(reason);
      throw this.readable.storedError;
    }
    const backpressure = !controller.shouldPull();
    if (backpressure !== this.backpressure) {
      this.setBackpressure(true);
    }
  }

  error(reason) {
    this.readable.controller.error(reason);
    this.errorWritable(reason);
  }

  errorWritable(reason) {
    this.clear();
    this.writable.controller.errorIfNeeded(reason);
    this.unblockWrite();
  }

  terminate() {
    this.readable.controller.close();
    this.errorWritable(invalidState('TransformStream terminated'));
  }

  // --- the writable side

  write(chunk) {
    if (!this.backpressure) {
      return this.perform(chunk);
    }
    return then(this.change.promise, () => {
      if (this.writable.state === 'erroring') {
        throw this.writable.storedError;
      }
      return this.perform(chunk);
    });
  }

  perform(chunk) {
    let result;
    try {
      result = this.transformer.transform(chunk);
    } catch (reason) {
      result = rejectedWith(reason);
    }
    if (result === undefined) {
      return undefined;
    }
    return then(resolvedWith(result), undefined, (reason) => {
      this.error(reason);
      throw reason;
    });
  }

  /**
   * Calls what ends the transformer, once for both sides; `settle` says what the other side is to
   * hear, `fail` of a failure.
   */
  end(call, settle, fail) {
    if (this.finish !== undefined) {
      return this.finish.promise;
    }
    this.finish = deferred();
    const { transformer, finish } = this;
    let result;
    try {
      result = newlyResolved(call(transformer));
    } catch (reason) {
      result = rejectedWith(reason);
    }
    this.clear();
    then(result, () => {
      const failure = settle();
      if (failure === undefined) {
        finish.resolve();
      } else {
        finish.reject(failure.reason);
      }
    }, (reason) => {
      fail(reason);
      finish.reject(reason);
    });
    return finish.promise;
  }

  abort(reason) {
    const { readable } = this;
    return this.end((transformer) => transformer.cancel(reason), () => {
      if (readable.state === 'errored') {
        return { reason: readable.storedError };
      }
      readable.controller.error(reason);
      return undefined;
    }, (failure) => readable.controller.error(failure));
  }

  close() {
    const { readable } = this;
    return this.end((transformer) => transformer.flush(), () => {
      if (readable.state === 'errored') {
        return { reason: readable.storedError };
      }
      readable.controller.close();
      return undefined;
    }, (failure) => readable.controller.error(failure));
  }

  // --- the readable side

  cancel(reason) {
    const { writable } = this;
    return this.end((transformer) => transformer.cancel(reason), () => {
      if (writable.state === 'errored') {
        return { reason: writable.storedError };
      }
      writable.controller.errorIfNeeded(reason);
      this.unblockWrite();
      return undefined;
    }, (failure) => {
      writable.controller.errorIfNeeded(failure);
      this.unblockWrite();
    });
  }
}

const one = () => 1;
const inside = Symbol('inside');
let slotsOfStream;
let slotsOfController;

/** A program's transformer with its functions, which are called on it. */
class Transformer {
  object;
  controllerOf;
  cancelFunction;
  flushFunction;
  readableType;
  startFunction;
  transformFunction;
  writableType;

  constructor(object, controllerOf) {
    this.object = object;
    this.controllerOf = controllerOf;
    this.cancelFunction = callbackOf(object, 'cancel');
    this.flushFunction = callbackOf(object, 'flush');
    this.readableType = object.readableType;
    this.startFunction = callbackOf(object, 'start');
    this.transformFunction = callbackOf(object, 'transform');
    this.writableType = object.writableType;
  }

  transform(chunk) {
    const { transformFunction } = this;
    const controller = this.controllerOf();
    return transformFunction === undefined ? slotsOfController(controller).enqueue(chunk) :
      apply(transformFunction, this.object, [chunk, controller]);
  }

  flush() {
    const { flushFunction } = this;
    return flushFunction === undefined ? undefined : apply(flushFunction, this.object, [this.controllerOf()]);
  }

  cancel(reason) {
    const { cancelFunction } = this;
    return cancelFunction === undefined ? undefined : apply(cancelFunction, this.object, [reason]);
  }
}

class TransformStream {
  #slots;

  constructor(transformer = undefined, writableStrategy = undefined, readableStrategy = undefined) {
    if (transformer === inside) {
      this.#slots = writableStrategy;
      return;
    }
    if (transformer !== undefined && !isObject(transformer)) {
      throw wrongType('transformer', 'Object', transformer);
    }
    const writing = strategyOf(writableStrategy);
    const reading = strategyOf(readableStrategy);
    let controller;
    const own = new Transformer(transformer ?? {}, () => controller);
    for (const name of ['readableType', 'writableType']) {
      if (own[name] !== undefined) {
        throw rangeError('ERR_INVALID_ARG_VALUE', `The property 'transformer.${name}' is invalid. Received ${String(own[name])}`);
      }
    }
    const readingHow = { mark: markOf(reading, 0), size: sizeOf(reading) };
    const writingHow = { mark: markOf(writing, 1), size: sizeOf(writing) };
    const start = deferred();
    this.#slots = new Transform(own, writingHow, readingHow, start.promise);
    controller = new TransformStreamDefaultController(inside, this.#slots);
    const { startFunction } = own;
    start.resolve(startFunction === undefined ? undefined : apply(startFunction, transformer, [controller]));
  }

  static {
    slotsOfStream = (object) => {
      if (!isObject(object) || !(#slots in object)) {
        throw invalidThis('TransformStream');
      }
      return object.#slots;
    };
  }

  get readable() {
    return streamObject(slotsOfStream(this).readable);
  }

  get writable() {
    return writableObject(slotsOfStream(this).writable);
  }
}

class TransformStreamDefaultController {
  #slots;

  constructor(key = undefined, slots = undefined) {
    if (key !== inside) {
      throw illegalConstructor();
    }
    this.#slots = slots;
  }

  static {
    slotsOfController = (object) => {
      if (!isObject(object) || !(#slots in object)) {
        throw invalidThis('TransformStreamDefaultController');
      }
      return object.#slots;
    };
  }

  get desiredSize() {
    return slotsOfController(this).readable.controller.desiredSize;
  }

  enqueue(chunk = undefined) {
    slotsOfController(this).enqueue(chunk);
  }

  error(reason = undefined) {
    slotsOfController(this).error(reason);
  }

  terminate() {
    slotsOfController(this).terminate();
  }
}

finishClass(TransformStream, (stream) => ({
  readable: stream.readable, writable: stream.writable, backpressure: slotsOfStream(stream).backpressure,
}));
makeTransferable(TransformStream, (stream) => slotsOfStream(stream));
finishClass(TransformStreamDefaultController, () => ({}));

const NO_ROOM = Object.freeze({ mark: 0, size: one });

/**
 * A transform of our own: `transformer` has `transform(chunk, enqueue)` and `flush(enqueue)`;
 * `room`: what the readable side takes before somebody reads.
 */
function makeTransform({ transform, flush, cancel = () => undefined, room = NO_ROOM }) {
  const enqueue = (chunk) => slots.enqueue(chunk);
  const slots = new Transform({
    transform: (chunk) => transform(chunk, enqueue),
    flush: () => flush(enqueue),
    cancel,
  }, { mark: 1, size: one }, room, undefined);
  return { readable: streamObject(slots.readable), writable: writableObject(slots.writable) };
}

/** One whose sides are there already: what it does is done elsewhere. */
const transformOf = (readable, writable) => new TransformStream(inside, { readable, writable, backpressure: undefined });

module.exports = { TransformStream, TransformStreamDefaultController, makeTransform, transformOf };
