// ReadableStream, its readers and its default controller: the interfaces of the Streams Standard
// 4.2 to 4.6. In: sources, arguments, which are checked here. Out: promises. Absent: the abstract
// operations (readable_core.js); pipes, `tee`, `from` (modules loaded at first use).
'use strict';

const core = require('web/streams/readable_core');
const { makeTransferable } = require('web/streams/transferable');
const {
  apply, promiseRejectedWith, setPromiseIsHandled, convertCallback, convertDictionary,
  closedPromiseOf, finishClass, illegalConstructor, invalidState, invalidThis, isObject,
  extractHighWaterMark, rangeError, extractSizeAlgorithm, convertQueuingStrategy, typeError,
  wrongType,
} = require('web/streams/webidl_utils');

/** Key of the constructors that make public objects of existing slots. */
const kConstructorKey = Symbol('kConstructorKey');
let slotsOfStream;
let slotsOfReader;
let slotsOfByobReader;
let slotsOfController;

class ReadableStream {
  #slots;

  constructor(underlyingSource = undefined, strategy = undefined) {
    if (underlyingSource === kConstructorKey) {
      this.#slots = strategy;
      strategy.object = this;
      return;
    }
    if (underlyingSource !== undefined && !isObject(underlyingSource)) {
      throw wrongType('source', 'Object', underlyingSource);
    }
    const isDirect = underlyingSource?.type === 'direct';
    // A direct source writes once it is read.
    const init = convertQueuingStrategy(isDirect ? { highWaterMark: 0 } : strategy);
    this.#slots = new core.ReadableStreamSlots();
    this.#slots.object = this;
    const source = isDirect ? require('web/streams/direct_source').directSource(underlyingSource) : underlyingSource;
    setUpControllerFromUnderlyingSource(this.#slots, source, init);
  }

  static {
    slotsOfStream = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  static from(iterable) {
    return require('web/streams/async_iterator').readableStreamFromIterable(iterable);
  }

  get locked() {
    return core.isReadableStreamLocked(thisSlots(this));
  }

  cancel(reason = undefined) {
    const slots = slotsOfStream(this);
    if (slots === undefined) {
      return promiseRejectedWith(invalidThis('ReadableStream'));
    }
    if (core.isReadableStreamLocked(slots)) {
      return promiseRejectedWith(invalidState('ReadableStream is locked'));
    }
    return core.readableStreamCancel(slots, reason);
  }

  getReader(options = undefined) {
    const slots = thisSlots(this);
    const mode = convertDictionary(options, 'options')?.mode;
    if (mode === undefined) {
      return new ReadableStreamDefaultReader(kConstructorKey, core.acquireReadableStreamDefaultReader(slots));
    }
    if (`${mode}` !== 'byob') {
      const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
      throw new ERR_INVALID_ARG_VALUE('options.mode', mode);
    }
    return new ReadableStreamBYOBReader(kConstructorKey, core.acquireReadableStreamBYOBReader(slots));
  }

  pipeThrough(transform, options = undefined) {
    const slots = thisSlots(this);
    const { slotsOfWritable } = require('web/streams/writable');
    if (!isObject(transform)) {
      throw wrongType('transform', 'Object', transform);
    }
    const { readable } = transform;
    if (slotsOfStream(readable) === undefined) {
      throw wrongType('transform.readable', 'ReadableStream', readable);
    }
    const { writable } = transform;
    const dest = slotsOfWritable(writable);
    if (dest === undefined) {
      throw wrongType('transform.writable', 'WritableStream', writable);
    }
    const { pipe, pipeOptions } = require('web/streams/pipe');
    const init = pipeOptions(options);
    if (core.isReadableStreamLocked(slots)) {
      throw invalidState('The ReadableStream is locked');
    }
    if (dest.writer !== undefined) {
      throw invalidState('The WritableStream is locked');
    }
    setPromiseIsHandled(pipe(slots, dest, init));
    return readable;
  }

  pipeTo(destination, options = undefined) {
    const slots = slotsOfStream(this);
    if (slots === undefined) {
      return promiseRejectedWith(invalidThis('ReadableStream'));
    }
    try {
      const dest = require('web/streams/writable').slotsOfWritable(destination);
      if (dest === undefined) {
        throw wrongType('destination', 'WritableStream', destination);
      }
      const { pipe, pipeOptions } = require('web/streams/pipe');
      const init = pipeOptions(options);
      if (core.isReadableStreamLocked(slots)) {
        throw invalidState('The ReadableStream is locked');
      }
      if (dest.writer !== undefined) {
        throw invalidState('The WritableStream is locked');
      }
      return pipe(slots, dest, init);
    } catch (error) {
      return promiseRejectedWith(error);
    }
  }

  tee() {
    const slots = thisSlots(this);
    if (core.isReadableStreamLocked(slots)) {
      throw invalidState('ReadableStream is locked');
    }
    const { tee } = require(slots.controller.isByte ? 'web/streams/byte_tee' : 'web/streams/tee');
    return tee(slots).map((branch) => new ReadableStream(kConstructorKey, branch));
  }

  values(options = undefined) {
    const slots = thisSlots(this);
    const preventCancel = !!convertDictionary(options, 'options')?.preventCancel;
    return require('web/streams/async_iterator').createAsyncIterator(core.acquireReadableStreamDefaultReader(slots), preventCancel);
  }
}

/** Returns the internal slots of `this`, or throws. */
function thisSlots(object) {
  const slots = slotsOfStream(object);
  if (slots === undefined) {
    throw invalidThis('ReadableStream');
  }
  return slots;
}

/** Makes the controller of a new stream and calls the source's `start`. */
function setUpControllerFromUnderlyingSource(stream, object, strategy) {
  const hasSource = object !== undefined;
  const chunkSize = hasSource ? convertAutoAllocateChunkSize(object.autoAllocateChunkSize) : undefined;
  const cancel = hasSource ? convertCallback(object, 'cancel') : undefined;
  const pull = hasSource ? convertCallback(object, 'pull') : undefined;
  const start = hasSource ? convertCallback(object, 'start') : undefined;
  const type = hasSource ? object.type : undefined;
  let controllerOf = () => controllerObject(stream.controller);
  if (type === undefined) {
    const size = extractSizeAlgorithm(strategy);
    const highWaterMark = extractHighWaterMark(strategy, 1);
    new core.DefaultController(stream, new core.UnderlyingSource(object, () => controllerOf(), pull, cancel), size, highWaterMark);
  } else if (`${type}` === 'bytes') {
    if (strategy.size !== undefined) {
      throw rangeError('ERR_INVALID_ARG_VALUE', `The property 'strategy.size' is invalid: a byte stream has its own`);
    }
    const highWaterMark = extractHighWaterMark(strategy, 0);
    if (chunkSize === 0) {
      throw typeError('ERR_INVALID_ARG_VALUE', `The property 'source.autoAllocateChunkSize' is invalid. Received 0`);
    }
    const { ByteController } = require('web/streams/byte_controller');
    const { byteControllerObject } = require('web/streams/byte_interfaces');
    controllerOf = () => byteControllerObject(stream.controller);
    new ByteController(stream, new core.UnderlyingSource(object, () => controllerOf(), pull, cancel), highWaterMark, chunkSize);
  } else {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('source.type', type);
  }
  stream.controller.start(start === undefined ? undefined : apply(start, object, [controllerOf()]));
}

/** [EnforceRange] unsigned long long. */
function convertAutoAllocateChunkSize(value) {
  if (value === undefined) {
    return undefined;
  }
  const number = Math.trunc(+value);
  if (!(number >= 0 && number <= Number.MAX_SAFE_INTEGER)) {
    throw typeError('ERR_INVALID_ARG_VALUE', `The property 'source.autoAllocateChunkSize' is invalid. Received ${String(value)}`);
  }
  return number;
}

// --- readers

/** Read request that settles the promise of `read`. */
class PromiseReadRequest {
  promise;
  resolve;
  error;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.error = reject;
    });
  }

  chunk(value) {
    this.resolve({ value, done: false });
  }

  close(value) {
    this.resolve({ value, done: true });
  }
}

class ReadableStreamDefaultReader {
  #slots;

  constructor(stream, slots = undefined) {
    if (stream === kConstructorKey) {
      this.#slots = slots;
    } else {
      const streamSlots = slotsOfStream(stream);
      if (streamSlots === undefined) {
        throw wrongType('stream', 'ReadableStream', stream);
      }
      this.#slots = core.acquireReadableStreamDefaultReader(streamSlots);
    }
  }

  static {
    slotsOfReader = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  read() {
    const slots = slotsOfReader(this);
    if (slots === undefined) {
      return promiseRejectedWith(invalidThis('ReadableStreamDefaultReader'));
    }
    if (slots.stream === undefined) {
      return promiseRejectedWith(invalidState('The reader is not attached to a stream'));
    }
    const request = new PromiseReadRequest();
    core.readableStreamDefaultReaderRead(slots, request);
    return request.promise;
  }

  releaseLock() {
    const slots = slotsOfReader(this);
    if (slots === undefined) {
      throw invalidThis('ReadableStreamDefaultReader');
    }
    if (slots.stream !== undefined) {
      core.readableStreamReaderRelease(slots);
    }
  }

  get closed() {
    const slots = slotsOfReader(this);
    return slots === undefined ? promiseRejectedWith(invalidThis('ReadableStreamDefaultReader')) : slots.closed.promise;
  }

  cancel(reason = undefined) {
    const slots = slotsOfReader(this);
    return slots === undefined ? promiseRejectedWith(invalidThis('ReadableStreamDefaultReader')) : cancelReader(slots, reason);
  }
}

function cancelReader(slots, reason) {
  if (slots.stream === undefined) {
    return promiseRejectedWith(invalidState('The reader is not attached to a stream'));
  }
  return core.readableStreamCancel(slots.stream, reason);
}

class ReadableStreamBYOBReader {
  #slots;

  constructor(stream, slots = undefined) {
    if (stream === kConstructorKey) {
      this.#slots = slots;
    } else {
      const streamSlots = slotsOfStream(stream);
      if (streamSlots === undefined) {
        throw wrongType('stream', 'ReadableStream', stream);
      }
      this.#slots = core.acquireReadableStreamBYOBReader(streamSlots);
    }
  }

  static {
    slotsOfByobReader = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  read(view, options = undefined) {
    const slots = slotsOfByobReader(this);
    if (slots === undefined) {
      return promiseRejectedWith(invalidThis('ReadableStreamBYOBReader'));
    }
    return require('web/streams/byte_interfaces').byobReaderRead(slots, view, options, new PromiseReadRequest());
  }

  releaseLock() {
    const slots = slotsOfByobReader(this);
    if (slots === undefined) {
      throw invalidThis('ReadableStreamBYOBReader');
    }
    if (slots.stream !== undefined) {
      core.readableStreamReaderRelease(slots);
    }
  }

  get closed() {
    const slots = slotsOfByobReader(this);
    return slots === undefined ? promiseRejectedWith(invalidThis('ReadableStreamBYOBReader')) : slots.closed.promise;
  }

  cancel(reason = undefined) {
    const slots = slotsOfByobReader(this);
    return slots === undefined ? promiseRejectedWith(invalidThis('ReadableStreamBYOBReader')) : cancelReader(slots, reason);
  }
}

// --- the default controller

class ReadableStreamDefaultController {
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
        throw invalidThis('ReadableStreamDefaultController');
      }
      return object.#slots;
    };
  }

  get desiredSize() {
    return slotsOfController(this).desiredSize;
  }

  close() {
    const slots = slotsOfController(this);
    if (!slots.canCloseOrEnqueue) {
      throw invalidState('Controller is already closed');
    }
    slots.close();
  }

  enqueue(chunk = undefined) {
    const slots = slotsOfController(this);
    if (!slots.canCloseOrEnqueue) {
      throw invalidState('Controller is already closed');
    }
    slots.enqueue(chunk);
  }

  error(reason = undefined) {
    slotsOfController(this).error(reason);
  }
}

const controllerObject = (slots) => (slots.object ??= new ReadableStreamDefaultController(kConstructorKey, slots));

finishClass(ReadableStream, (stream) => {
  const { state, controller } = slotsOfStream(stream);
  return { locked: stream.locked, state, supportsBYOB: controller.isByte };
});
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  value: ReadableStream.prototype.values, writable: true, configurable: true,
});
Object.defineProperty(ReadableStream, 'from', { enumerable: true });
makeTransferable(ReadableStream, (stream) => ({ readable: thisSlots(stream) }));
finishClass(ReadableStreamDefaultReader, (reader) => {
  const { stream, readRequests, closed } = slotsOfReader(reader);
  return { stream: stream && readableStreamObject(stream), readRequests: readRequests.length, close: closed.promise };
});
finishClass(ReadableStreamBYOBReader, (reader) => {
  const { stream, readRequests, closed } = slotsOfByobReader(reader);
  return { stream: stream && readableStreamObject(stream), requests: readRequests.length, close: closed.promise };
});
finishClass(ReadableStreamDefaultController, () => ({}));

const readableStreamObject = (slots) => (slots.object ??= new ReadableStream(kConstructorKey, slots));

// Properties that Node's predicates read (internal/streams/utils).
const NODE_STREAM_PROPERTIES = {
  'nodejs.stream.disturbed': (slots) => slots.disturbed,
  'nodejs.stream.errored': (slots) => slots.state === 'errored',
  'nodejs.stream.readable': (slots) => slots.state === 'readable',
  'nodejs.webstream.isClosedPromise': closedPromiseOf,
  'nodejs.webstream.controllerErrorFunction': (slots) => (reason) => slots.controller.error(reason),
};
for (const name of Object.keys(NODE_STREAM_PROPERTIES)) {
  Object.defineProperty(ReadableStream.prototype, Symbol.for(name), {
    get() {
      return NODE_STREAM_PROPERTIES[name](thisSlots(this));
    },
    configurable: true,
  });
}

for (const name of ['blob', 'bytes', 'json', 'text']) {
  const method = { async [name]() { return require('web/streams/readable_stream_consumers')[name](this); } }[name];
  Object.defineProperty(ReadableStream.prototype, name, { __proto__: null, value: method, writable: true, configurable: true });
}

/**
 * CreateReadableStream of the standard. `source` has `pull` and `cancel`; `start` is the result of
 * its start algorithm. Returns slots.
 */
function createReadableStream(source, start = undefined, highWaterMark = 1, size = () => 1) {
  const slots = new core.ReadableStreamSlots();
  new core.DefaultController(slots, source, size, highWaterMark);
  slots.controller.start(start);
  return slots;
}

module.exports = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamDefaultController,
  createReadableStream, slotsOfStream, readableStreamObject,
};
