// WritableStream, its writer and its controller, as programs see them: the Streams Standard 5.2 to
// 5.4. In: sinks, arguments, which are checked here. Out: promises. Absent: what happens
// (writable_core.js).
'use strict';

const core = require('web/streams/writable_core');
const { makeTransferable } = require('web/streams/transferable');
const {
  apply, callbackOf, endOf, finishClass, illegalConstructor, invalidState, invalidThis, isObject, markOf, rangeError, rejectedWith,
  strategyOf, wrongType,
} = require('web/streams/webidl_utils');

const inside = Symbol('inside');
let slotsOfWritable;
let slotsOfWriter;
let slotsOfController;

class WritableStream {
  #slots;

  constructor(underlyingSink = undefined, strategy = undefined) {
    if (underlyingSink === inside) {
      this.#slots = strategy;
      strategy.object = this;
      return;
    }
    if (underlyingSink !== undefined && !isObject(underlyingSink)) {
      throw wrongType('sink', 'Object', underlyingSink);
    }
    const how = strategyOf(strategy);
    this.#slots = new core.Writable();
    this.#slots.object = this;
    setUp(this.#slots, underlyingSink, how);
  }

  static {
    slotsOfWritable = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  get locked() {
    return streamOf(this).writer !== undefined;
  }

  abort(reason = undefined) {
    const slots = slotsOfWritable(this);
    if (slots === undefined) {
      return rejectedWith(invalidThis('WritableStream'));
    }
    if (slots.writer !== undefined) {
      return rejectedWith(invalidState('WritableStream is locked'));
    }
    return core.abort(slots, reason);
  }

  close() {
    const slots = slotsOfWritable(this);
    if (slots === undefined) {
      return rejectedWith(invalidThis('WritableStream'));
    }
    if (slots.writer !== undefined) {
      return rejectedWith(invalidState('WritableStream is locked'));
    }
    if (core.isClosing(slots)) {
      return rejectedWith(invalidState('Failure closing WritableStream'));
    }
    return core.close(slots);
  }

  getWriter() {
    return new WritableStreamDefaultWriter(inside, new core.Writer(streamOf(this)));
  }
}

function streamOf(object) {
  const slots = slotsOfWritable(object);
  if (slots === undefined) {
    throw invalidThis('WritableStream');
  }
  return slots;
}

/** A program's sink with its functions, which are called on it. */
class Sink {
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
    this.abortFunction = callbackOf(object, 'abort');
    this.closeFunction = callbackOf(object, 'close');
    this.startFunction = callbackOf(object, 'start');
    this.type = object.type;
    this.writeFunction = callbackOf(object, 'write');
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

const noSink = { write() {}, close() {}, abort() {} };

function setUp(stream, object, strategy) {
  const sink = object === undefined ? noSink : new Sink(object, stream);
  if (sink.type !== undefined) {
    throw rangeError('ERR_INVALID_ARG_VALUE', `The property 'sink.type' is invalid. Received ${String(sink.type)}`);
  }
  const mark = markOf(strategy, 1);
  const controller = new core.Controller(stream, sink, strategy.size ?? (() => 1), mark);
  const { startFunction } = sink;
  controller.start(startFunction === undefined ? undefined : apply(startFunction, object, [controllerObject(controller)]));
}

class WritableStreamDefaultWriter {
  #slots;

  constructor(stream, slots = undefined) {
    if (stream === inside) {
      this.#slots = slots;
    } else {
      const found = slotsOfWritable(stream);
      if (found === undefined) {
        throw wrongType('stream', 'WritableStream', stream);
      }
      this.#slots = new core.Writer(found);
    }
  }

  static {
    slotsOfWriter = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  get closed() {
    const slots = slotsOfWriter(this);
    return slots === undefined ? rejectedWith(invalidThis('WritableStreamDefaultWriter')) : slots.closed.promise;
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
    return slots === undefined ? rejectedWith(invalidThis('WritableStreamDefaultWriter')) : slots.ready.promise;
  }

  abort(reason = undefined) {
    return withStream(this, (slots) => core.abort(slots.stream, reason));
  }

  close() {
    return withStream(this, ({ stream }) =>
      (core.isClosing(stream) ? rejectedWith(invalidState('Failure to close WritableStream')) : core.close(stream)));
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

/** For methods that give promises: a wrong `this` or a released writer is a rejection. */
function withStream(writer, call) {
  const slots = slotsOfWriter(writer);
  if (slots === undefined) {
    return rejectedWith(invalidThis('WritableStreamDefaultWriter'));
  }
  if (slots.stream === undefined) {
    return rejectedWith(invalidState('Writer is not bound to a WritableStream'));
  }
  return call(slots);
}

class WritableStreamDefaultController {
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
        throw invalidThis('WritableStreamDefaultController');
      }
      return object.#slots;
    };
  }

  get signal() {
    const slots = slotsOfController(this);
    const { signal } = slots;
    if (slots.aborted !== undefined && !signal.aborted) {
      slots.aborter.abort(slots.aborted.reason);
    }
    return signal;
  }

  error(reason = undefined) {
    slotsOfController(this).errorIfNeeded(reason);
  }
}

const controllerObject = (slots) => (slots.object ??= new WritableStreamDefaultController(inside, slots));
const streamObject = (slots) => (slots.object ??= new WritableStream(inside, slots));

finishClass(WritableStream, (stream) => ({ locked: stream.locked, state: slotsOfWritable(stream).state }));
makeTransferable(WritableStream, (stream) => ({ writable: streamOf(stream) }));
finishClass(WritableStreamDefaultWriter, (writer) => {
  const { stream, closed, ready, desiredSize } = slotsOfWriter(writer);
  return { stream: stream && streamObject(stream), close: closed.promise, ready: ready.promise, desiredSize: stream && desiredSize };
});
finishClass(WritableStreamDefaultController, (controller) => ({ stream: streamObject(slotsOfController(controller).stream) }));

// What `internal/streams/utils` asks of a stream.
const shown = {
  'nodejs.stream.errored': (slots) => slots.state === 'errored',
  'nodejs.stream.writable': (slots) => slots.state === 'writable',
  'nodejs.webstream.isClosedPromise': endOf,
  'nodejs.webstream.controllerErrorFunction': (slots) => (reason) => slots.controller.errorIfNeeded(reason),
};
for (const name of Object.keys(shown)) {
  Object.defineProperty(WritableStream.prototype, Symbol.for(name), {
    get() {
      return shown[name](streamOf(this));
    },
    configurable: true,
  });
}

/** A stream of our own: `sink` has `write`, `close` and `abort`. Gives slots. */
function makeWritable(sink, start, mark, size) {
  const slots = new core.Writable();
  new core.Controller(slots, sink, size, mark).start(start);
  return slots;
}

module.exports = {
  WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, slotsOfWritable, makeWritable, writableObject: streamObject,
};
