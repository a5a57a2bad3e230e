// WritableStream, its writer and its controller: the interfaces of the Streams Standard 5.2 to 5.4.
// In: sinks, arguments, which are checked here. Out: promises. Absent: the abstract operations
// (writable_core.js).
'use strict';

const core = require('web/streams/writable_core');
const { makeTransferable } = require('web/streams/transferable');
const {
  apply, convertCallback, closedPromiseOf, finishClass, illegalConstructor, invalidState,
  invalidThis, isObject, extractHighWaterMark, rangeError, promiseRejectedWith,
  convertQueuingStrategy, wrongType,
} = require('web/streams/webidl_utils');

const kConstructorKey = Symbol('kConstructorKey');
let slotsOfWritable;
let slotsOfWriter;
let slotsOfController;

class WritableStream {
  #slots;

  constructor(underlyingSink = undefined, strategy = undefined) {
    if (underlyingSink === kConstructorKey) {
      this.#slots = strategy;
      strategy.object = this;
      return;
    }
    if (underlyingSink !== undefined && !isObject(underlyingSink)) {
      throw wrongType('sink', 'Object', underlyingSink);
    }
    const init = convertQueuingStrategy(strategy);
    this.#slots = new core.WritableStreamSlots();
    this.#slots.object = this;
    setUpControllerFromUnderlyingSink(this.#slots, underlyingSink, init);
  }

  static {
    slotsOfWritable = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  get locked() {
    return thisSlots(this).writer !== undefined;
  }

  abort(reason = undefined) {
    const slots = slotsOfWritable(this);
    if (slots === undefined) {
      return promiseRejectedWith(invalidThis('WritableStream'));
    }
    if (slots.writer !== undefined) {
      return promiseRejectedWith(invalidState('WritableStream is locked'));
    }
    return core.writableStreamAbort(slots, reason);
  }

  close() {
    const slots = slotsOfWritable(this);
    if (slots === undefined) {
      return promiseRejectedWith(invalidThis('WritableStream'));
    }
    if (slots.writer !== undefined) {
      return promiseRejectedWith(invalidState('WritableStream is locked'));
    }
    if (core.writableStreamCloseQueuedOrInFlight(slots)) {
      return promiseRejectedWith(invalidState('Failure closing WritableStream'));
    }
    return core.writableStreamClose(slots);
  }

  getWriter() {
    return new WritableStreamDefaultWriter(kConstructorKey, new core.DefaultWriter(thisSlots(this)));
  }
}

function thisSlots(object) {
  const slots = slotsOfWritable(object);
  if (slots === undefined) {
    throw invalidThis('WritableStream');
  }
  return slots;
}

/** A program's underlying sink. Its functions are called with it as `this`. */
class UnderlyingSink {
  object;
  stream;
  abortFunction;
  closeFunction;
  startFunction;
  type;
  writeFunction;

  constructor(object, stream) {
    this.object = object;
    this.stream = stream;
    this.abortFunction = convertCallback(object, 'abort');
    this.closeFunction = convertCallback(object, 'close');
    this.startFunction = convertCallback(object, 'start');
    this.type = object.type;
    this.writeFunction = convertCallback(object, 'write');
  }

  write(chunk) {
    const { writeFunction } = this;
    return writeFunction === undefined ? undefined : apply(writeFunction, this.object, [chunk, controllerObject(this.stream.controller)]);
  }

  close() {
    const { closeFunction } = this;
    return closeFunction === undefined ? undefined : apply(closeFunction, this.object, []);
  }

  abort(reason) {
    const { abortFunction } = this;
    return abortFunction === undefined ? undefined : apply(abortFunction, this.object, [reason]);
  }
}

const EMPTY_SINK = { write() {}, close() {}, abort() {} };

function setUpControllerFromUnderlyingSink(stream, object, strategy) {
  const sink = object === undefined ? EMPTY_SINK : new UnderlyingSink(object, stream);
  if (sink.type !== undefined) {
    throw rangeError('ERR_INVALID_ARG_VALUE', `The property 'sink.type' is invalid. Received ${String(sink.type)}`);
  }
  const highWaterMark = extractHighWaterMark(strategy, 1);
  const controller = new core.WritableDefaultController(stream, sink, strategy.size ?? (() => 1), highWaterMark);
  const { startFunction } = sink;
  controller.start(startFunction === undefined ? undefined : apply(startFunction, object, [controllerObject(controller)]));
}

class WritableStreamDefaultWriter {
  #slots;

  constructor(stream, slots = undefined) {
    if (stream === kConstructorKey) {
      this.#slots = slots;
    } else {
      const streamSlots = slotsOfWritable(stream);
      if (streamSlots === undefined) {
        throw wrongType('stream', 'WritableStream', stream);
      }
      this.#slots = new core.DefaultWriter(streamSlots);
    }
  }

  static {
    slotsOfWriter = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  get closed() {
    const slots = slotsOfWriter(this);
    return slots === undefined ? promiseRejectedWith(invalidThis('WritableStreamDefaultWriter')) : slots.closed.promise;
  }

  get desiredSize() {
    const slots = slotsOfWriter(this);
    if (slots === undefined) {
      throw invalidThis('WritableStreamDefaultWriter');
    }
    if (slots.stream === undefined) {
      throw invalidState('Writer is not bound to a WritableStream');
    }
    return slots.desiredSize;
  }

  get ready() {
    const slots = slotsOfWriter(this);
    return slots === undefined ? promiseRejectedWith(invalidThis('WritableStreamDefaultWriter')) : slots.ready.promise;
  }

  abort(reason = undefined) {
    return withStream(this, (slots) => core.writableStreamAbort(slots.stream, reason));
  }

  close() {
    return withStream(this, ({ stream }) =>
      (core.writableStreamCloseQueuedOrInFlight(stream) ?
        promiseRejectedWith(invalidState('Failure to close WritableStream')) : core.writableStreamClose(stream)));
  }

  releaseLock() {
    const slots = slotsOfWriter(this);
    if (slots === undefined) {
      throw invalidThis('WritableStreamDefaultWriter');
    }
    if (slots.stream !== undefined) {
      slots.release();
    }
  }

  write(chunk = undefined) {
    return withStream(this, (slots) => slots.write(chunk));
  }
}

/** For methods that return promises: a wrong `this` or a released writer is a rejection. */
function withStream(writer, operation) {
  const slots = slotsOfWriter(writer);
  if (slots === undefined) {
    return promiseRejectedWith(invalidThis('WritableStreamDefaultWriter'));
  }
  if (slots.stream === undefined) {
    return promiseRejectedWith(invalidState('Writer is not bound to a WritableStream'));
  }
  return operation(slots);
}

class WritableStreamDefaultController {
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
        throw invalidThis('WritableStreamDefaultController');
      }
      return object.#slots;
    };
  }

  get signal() {
    const slots = slotsOfController(this);
    const { signal } = slots;
    if (slots.abortRequest !== undefined && !signal.aborted) {
      slots.abortController.abort(slots.abortRequest.reason);
    }
    return signal;
  }

  error(reason = undefined) {
    slotsOfController(this).errorIfNeeded(reason);
  }
}

const controllerObject = (slots) => (slots.object ??= new WritableStreamDefaultController(kConstructorKey, slots));
const writableStreamObject = (slots) => (slots.object ??= new WritableStream(kConstructorKey, slots));

finishClass(WritableStream, (stream) => ({ locked: stream.locked, state: slotsOfWritable(stream).state }));
makeTransferable(WritableStream, (stream) => ({ writable: thisSlots(stream) }));
finishClass(WritableStreamDefaultWriter, (writer) => {
  const { stream, closed, ready, desiredSize } = slotsOfWriter(writer);
  return { stream: stream && writableStreamObject(stream), close: closed.promise, ready: ready.promise, desiredSize: stream && desiredSize };
});
finishClass(WritableStreamDefaultController, (controller) => ({ stream: writableStreamObject(slotsOfController(controller).stream) }));

// Properties that Node's predicates read (internal/streams/utils).
const NODE_STREAM_PROPERTIES = {
  'nodejs.stream.errored': (slots) => slots.state === 'errored',
  'nodejs.stream.writable': (slots) => slots.state === 'writable',
  'nodejs.webstream.isClosedPromise': closedPromiseOf,
  'nodejs.webstream.controllerErrorFunction': (slots) => (reason) => slots.controller.errorIfNeeded(reason),
};
for (const name of Object.keys(NODE_STREAM_PROPERTIES)) {
  Object.defineProperty(WritableStream.prototype, Symbol.for(name), {
    get() {
      return NODE_STREAM_PROPERTIES[name](thisSlots(this));
    },
    configurable: true,
  });
}

/** CreateWritableStream of the standard. `sink` has `write`, `close` and `abort`. Returns slots. */
function createWritableStream(sink, start, highWaterMark, size) {
  const slots = new core.WritableStreamSlots();
  new core.WritableDefaultController(slots, sink, size, highWaterMark).start(start);
  return slots;
}

module.exports = {
  WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, slotsOfWritable,
  createWritableStream, writableStreamObject,
};
