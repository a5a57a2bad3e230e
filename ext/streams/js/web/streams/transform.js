// TransformStream and its controller: the Streams Standard 6. In: a transformer. Out: a writable
// and a readable side; a chunk that is written is transformed when the readable side has room.
// Absent: the streams of both sides.
'use strict';

const { createReadableStream, readableStreamObject } = require('web/streams/readable');
const { makeTransferable } = require('web/streams/transferable');
const { createWritableStream, writableStreamObject } = require('web/streams/writable');
const {
  apply, promiseThen, promiseResolvedWith, newPromiseResolvedWith, promiseRejectedWith,
  createDeferredPromise, LazyPromise, convertCallback, finishClass, illegalConstructor,
  invalidState, invalidThis, isObject, extractHighWaterMark, rangeError, extractSizeAlgorithm,
  convertQueuingStrategy, wrongType,
} = require('web/streams/webidl_utils');

/**
 * Internal slots of a transform stream. `transformer` has `transform`, `flush` and `cancel`, which
 * return promises or undefined.
 */
class TransformStreamSlots {
  backpressure = true;
  backpressureChangePromise = new LazyPromise();
  transformer;
  readable;
  writable;
  /** Promise of the flush, cancel or abort that either side started. */
  finishPromise = undefined;

  constructor(transformer, writableInit, readableInit, start) {
    this.transformer = transformer;
    this.writable = createWritableStream({
      write: (chunk) => this.write(chunk),
      close: () => this.close(),
      abort: (reason) => this.abort(reason),
    }, start, writableInit.highWaterMark, writableInit.size);
    this.readable = createReadableStream({
      pull: () => {
        this.setBackpressure(false);
        return this.backpressureChangePromise.promise;
      },
      cancel: (reason) => this.cancel(reason),
    }, start, readableInit.highWaterMark, readableInit.size);
  }

  setBackpressure(backpressure) {
    const previousPromise = this.backpressureChangePromise;
    this.backpressureChangePromise = new LazyPromise();
    this.backpressure = backpressure;
    previousPromise.resolve();
  }

  unblockWrite() {
    if (this.backpressure) {
      this.setBackpressure(false);
    }
  }

  clearAlgorithms() {
    this.transformer = undefined;
  }

  // --- operations of the controller

  enqueue(chunk) {
    const { controller } = this.readable;
    if (!controller.canCloseOrEnqueue) {
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
    this.clearAlgorithms();
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
      return this.performTransform(chunk);
    }
    return promiseThen(this.backpressureChangePromise.promise, () => {
      if (this.writable.state === 'erroring') {
        throw this.writable.storedError;
      }
      return this.performTransform(chunk);
    });
  }

  performTransform(chunk) {
    let result;
    try {
      result = this.transformer.transform(chunk);
    } catch (reason) {
      result = promiseRejectedWith(reason);
    }
    if (result === undefined) {
      return undefined;
    }
    return promiseThen(promiseResolvedWith(result), undefined, (reason) => {
      this.error(reason);
      throw reason;
    });
  }

  /**
   * Calls the algorithm that ends the transformer, once for both sides. `onSuccess` closes or
   * errors the other side and returns { reason } on failure; `onFailure` takes the rejection.
   */
  finishOnce(algorithm, onSuccess, onFailure) {
    if (this.finishPromise !== undefined) {
      return this.finishPromise.promise;
    }
    this.finishPromise = createDeferredPromise();
    const { transformer, finishPromise } = this;
    let result;
    try {
      result = newPromiseResolvedWith(algorithm(transformer));
    } catch (reason) {
      result = promiseRejectedWith(reason);
    }
    this.clearAlgorithms();
    promiseThen(result, () => {
      const error = onSuccess();
      if (error === undefined) {
        finishPromise.resolve();
      } else {
        finishPromise.reject(error.reason);
      }
    }, (reason) => {
      onFailure(reason);
      finishPromise.reject(reason);
    });
    return finishPromise.promise;
  }

  abort(reason) {
    const { readable } = this;
    return this.finishOnce((transformer) => transformer.cancel(reason), () => {
      if (readable.state === 'errored') {
        return { reason: readable.storedError };
      }
      readable.controller.error(reason);
      return undefined;
    }, (failure) => readable.controller.error(failure));
  }

  close() {
    const { readable } = this;
    return this.finishOnce((transformer) => transformer.flush(), () => {
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
    return this.finishOnce((transformer) => transformer.cancel(reason), () => {
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

const sizeOne = () => 1;
const kConstructorKey = Symbol('kConstructorKey');
let slotsOfStream;
let slotsOfController;

/** A program's transformer. Its functions are called with it as `this`. */
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
    this.cancelFunction = convertCallback(object, 'cancel');
    this.flushFunction = convertCallback(object, 'flush');
    this.readableType = object.readableType;
    this.startFunction = convertCallback(object, 'start');
    this.transformFunction = convertCallback(object, 'transform');
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
    if (transformer === kConstructorKey) {
      this.#slots = writableStrategy;
      return;
    }
    if (transformer !== undefined && !isObject(transformer)) {
      throw wrongType('transformer', 'Object', transformer);
    }
    const writableInit = convertQueuingStrategy(writableStrategy);
    const readableInit = convertQueuingStrategy(readableStrategy);
    let controller;
    const transformerRecord = new Transformer(transformer ?? {}, () => controller);
    for (const name of ['readableType', 'writableType']) {
      if (transformerRecord[name] !== undefined) {
        throw rangeError('ERR_INVALID_ARG_VALUE', `The property 'transformer.${name}' is invalid. Received ${String(transformerRecord[name])}`);
      }
    }
    const readableParameters = { highWaterMark: extractHighWaterMark(readableInit, 0), size: extractSizeAlgorithm(readableInit) };
    const writableParameters = { highWaterMark: extractHighWaterMark(writableInit, 1), size: extractSizeAlgorithm(writableInit) };
    const start = createDeferredPromise();
    this.#slots = new TransformStreamSlots(transformerRecord, writableParameters, readableParameters, start.promise);
    controller = new TransformStreamDefaultController(kConstructorKey, this.#slots);
    const { startFunction } = transformerRecord;
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
    return readableStreamObject(slotsOfStream(this).readable);
  }

  get writable() {
    return writableStreamObject(slotsOfStream(this).writable);
  }
}

class TransformStreamDefaultController {
  #slots;

  constructor(key = undefined, slots = undefined) {
    if (key !== kConstructorKey) {
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

const NO_BUFFER = Object.freeze({ highWaterMark: 0, size: sizeOne });

/**
 * Makes a transform stream of ours: `transform(chunk, enqueue)` and `flush(enqueue)`;
 * `readableStrategy`: the queuing strategy of the readable side.
 */
function createTransformStream({ transform, flush, cancel = () => undefined, readableStrategy = NO_BUFFER }) {
  const enqueue = (chunk) => slots.enqueue(chunk);
  const slots = new TransformStreamSlots({
    transform: (chunk) => transform(chunk, enqueue),
    flush: () => flush(enqueue),
    cancel,
  }, { highWaterMark: 1, size: sizeOne }, readableStrategy, undefined);
  return { readable: readableStreamObject(slots.readable), writable: writableStreamObject(slots.writable) };
}

/** Makes a TransformStream of existing sides, which do the transformation. */
const createTransformStreamOf = (readable, writable) => new TransformStream(kConstructorKey, { readable, writable, backpressure: undefined });

module.exports = { TransformStream, TransformStreamDefaultController, createTransformStream, createTransformStreamOf };
