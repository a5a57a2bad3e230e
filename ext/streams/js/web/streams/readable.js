// ReadableStream, its readers and its default controller, as programs see them: the Streams
// Standard 4.2 to 4.6. In: sources, arguments, which are checked here. Out: promises. Absent: what
// happens (readable_core.js); pipes, `tee`, `from` (files read when they are used).
'use strict';

const core = require('web/streams/readable_core');
const { makeTransferable } = require('web/streams/transferable');
const {
  apply, rejectedWith, handled, callbackOf, dictionary, endOf, finishClass, illegalConstructor, invalidState, invalidThis,
  isObject, markOf, rangeError, sizeOf, strategyOf, typeError, wrongType,
} = require('web/streams/webidl_utils');

/** Whoever has it may make objects of slots that are there. */
const inside = Symbol('inside');
let slotsOfStream;
let slotsOfReader;
let slotsOfByobReader;
let slotsOfController;

class ReadableStream {
  #slots;

  constructor(underlyingSource = undefined, strategy = undefined) {
    if (underlyingSource === inside) {
      this.#slots = strategy;
      strategy.object = this;
      return;
    }
    if (underlyingSource !== undefined && !isObject(underlyingSource)) {
      throw wrongType('source', 'Object', underlyingSource);
    }
    const how = strategyOf(strategy);
    this.#slots = new core.Readable();
    this.#slots.object = this;
    setUp(this.#slots, underlyingSource, how);
  }

  static {
    slotsOfStream = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  static from(iterable) {
    return require('web/streams/iterate').fromIterable(iterable);
  }

  get locked() {
    return core.isLocked(streamOf(this));
  }

  cancel(reason = undefined) {
    const slots = slotsOfStream(this);
    if (slots === undefined) {
      return rejectedWith(invalidThis('ReadableStream'));
    }
    if (core.isLocked(slots)) {
      return rejectedWith(invalidState('ReadableStream is locked'));
    }
    return core.cancel(slots, reason);
  }

  getReader(options = undefined) {
    const slots = streamOf(this);
    const mode = dictionary(options, 'options')?.mode;
    if (mode === undefined) {
      return new ReadableStreamDefaultReader(inside, core.acquireReader(slots));
    }
    if (`${mode}` !== 'byob') {
      const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
      throw new ERR_INVALID_ARG_VALUE('options.mode', mode);
    }
    return new ReadableStreamBYOBReader(inside, core.acquireByobReader(slots));
  }

  pipeThrough(transform, options = undefined) {
    const slots = streamOf(this);
    const { slotsOfWritable } = require('web/streams/writable');
    if (!isObject(transform)) {
      throw wrongType('transform', 'Object', transform);
    }
    const { readable } = transform;
    if (slotsOfStream(readable) === undefined) {
      throw wrongType('transform.readable', 'ReadableStream', readable);
    }
    const { writable } = transform;
    const target = slotsOfWritable(writable);
    if (target === undefined) {
      throw wrongType('transform.writable', 'WritableStream', writable);
    }
    const { pipe, pipeOptions } = require('web/streams/pipe');
    const how = pipeOptions(options);
    if (core.isLocked(slots)) {
      throw invalidState('The ReadableStream is locked');
    }
    if (target.writer !== undefined) {
      throw invalidState('The WritableStream is locked');
    }
    handled(pipe(slots, target, how));
    return readable;
  }

  pipeTo(destination, options = undefined) {
    const slots = slotsOfStream(this);
    if (slots === undefined) {
      return rejectedWith(invalidThis('ReadableStream'));
    }
    try {
      const target = require('web/streams/writable').slotsOfWritable(destination);
      if (target === undefined) {
        throw wrongType('destination', 'WritableStream', destination);
      }
      const { pipe, pipeOptions } = require('web/streams/pipe');
      const how = pipeOptions(options);
      if (core.isLocked(slots)) {
        throw invalidState('The ReadableStream is locked');
      }
      if (target.writer !== undefined) {
        throw invalidState('The WritableStream is locked');
      }
      return pipe(slots, target, how);
    } catch (error) {
      return rejectedWith(error);
    }
  }

  tee() {
    const slots = streamOf(this);
    if (core.isLocked(slots)) {
      throw invalidState('ReadableStream is locked');
    }
    const { tee } = require(slots.controller.isByte ? 'web/streams/byte_tee' : 'web/streams/tee');
    return tee(slots).map((branch) => new ReadableStream(inside, branch));
  }

  values(options = undefined) {
    const slots = streamOf(this);
    const preventCancel = !!dictionary(options, 'options')?.preventCancel;
    return require('web/streams/iterate').iterate(core.acquireReader(slots), preventCancel);
  }
}

/** The slots of `this`. */
function streamOf(object) {
  const slots = slotsOfStream(object);
  if (slots === undefined) {
    throw invalidThis('ReadableStream');
  }
  return slots;
}

/** Makes the controller of a new stream and starts its source. */
function setUp(stream, object, strategy) {
  const isGiven = object !== undefined;
  const chunkSize = isGiven ? chunkSizeOf(object.autoAllocateChunkSize) : undefined;
  const cancel = isGiven ? callbackOf(object, 'cancel') : undefined;
  const pull = isGiven ? callbackOf(object, 'pull') : undefined;
  const start = isGiven ? callbackOf(object, 'start') : undefined;
  const type = isGiven ? object.type : undefined;
  let controllerOf = () => controllerObject(stream.controller);
  if (type === undefined) {
    const size = sizeOf(strategy);
    const mark = markOf(strategy, 1);
    new core.DefaultController(stream, new core.Source(object, () => controllerOf(), pull, cancel), size, mark);
  } else if (`${type}` === 'bytes') {
    if (strategy.size !== undefined) {
      throw rangeError('ERR_INVALID_ARG_VALUE', `The property 'strategy.size' is invalid: a byte stream has its own`);
    }
    const mark = markOf(strategy, 0);
    if (chunkSize === 0) {
      throw typeError('ERR_INVALID_ARG_VALUE', `The property 'source.autoAllocateChunkSize' is invalid. Received 0`);
    }
    const { ByteController } = require('web/streams/byte_core');
    const { byteControllerObject } = require('web/streams/byte_interfaces');
    controllerOf = () => byteControllerObject(stream.controller);
    new ByteController(stream, new core.Source(object, () => controllerOf(), pull, cancel), mark, chunkSize);
  } else {
    const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
    throw new ERR_INVALID_ARG_VALUE('source.type', type);
  }
  stream.controller.start(start === undefined ? undefined : apply(start, object, [controllerOf()]));
}

/** [EnforceRange] unsigned long long. */
function chunkSizeOf(value) {
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

/** What a `read` gives to a program. */
class PromiseRead {
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
    if (stream === inside) {
      this.#slots = slots;
    } else {
      const found = slotsOfStream(stream);
      if (found === undefined) {
        throw wrongType('stream', 'ReadableStream', stream);
      }
      this.#slots = core.acquireReader(found);
    }
  }

  static {
    slotsOfReader = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  read() {
    const slots = slotsOfReader(this);
    if (slots === undefined) {
      return rejectedWith(invalidThis('ReadableStreamDefaultReader'));
    }
    if (slots.stream === undefined) {
      return rejectedWith(invalidState('The reader is not attached to a stream'));
    }
    const request = new PromiseRead();
    core.read(slots, request);
    return request.promise;
  }

  releaseLock() {
    const slots = slotsOfReader(this);
    if (slots === undefined) {
      throw invalidThis('ReadableStreamDefaultReader');
    }
    if (slots.stream !== undefined) {
      core.release(slots);
    }
  }

  get closed() {
    const slots = slotsOfReader(this);
    return slots === undefined ? rejectedWith(invalidThis('ReadableStreamDefaultReader')) : slots.closed.promise;
  }

  cancel(reason = undefined) {
    const slots = slotsOfReader(this);
    return slots === undefined ? rejectedWith(invalidThis('ReadableStreamDefaultReader')) : cancelReader(slots, reason);
  }
}

function cancelReader(slots, reason) {
  if (slots.stream === undefined) {
    return rejectedWith(invalidState('The reader is not attached to a stream'));
  }
  return core.cancel(slots.stream, reason);
}

class ReadableStreamBYOBReader {
  #slots;

  constructor(stream, slots = undefined) {
    if (stream === inside) {
      this.#slots = slots;
    } else {
      const found = slotsOfStream(stream);
      if (found === undefined) {
        throw wrongType('stream', 'ReadableStream', stream);
      }
      this.#slots = core.acquireByobReader(found);
    }
  }

  static {
    slotsOfByobReader = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
  }

  read(view, options = undefined) {
    const slots = slotsOfByobReader(this);
    if (slots === undefined) {
      return rejectedWith(invalidThis('ReadableStreamBYOBReader'));
    }
    return require('web/streams/byte_interfaces').readInto(slots, view, options, new PromiseRead());
  }

  releaseLock() {
    const slots = slotsOfByobReader(this);
    if (slots === undefined) {
      throw invalidThis('ReadableStreamBYOBReader');
    }
    if (slots.stream !== undefined) {
      core.release(slots);
    }
  }

  get closed() {
    const slots = slotsOfByobReader(this);
    return slots === undefined ? rejectedWith(invalidThis('ReadableStreamBYOBReader')) : slots.closed.promise;
  }

  cancel(reason = undefined) {
    const slots = slotsOfByobReader(this);
    return slots === undefined ? rejectedWith(invalidThis('ReadableStreamBYOBReader')) : cancelReader(slots, reason);
  }
}

// --- the default controller

class ReadableStreamDefaultController {
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
    if (!slots.mayEnqueue) {
      throw invalidState('Controller is already closed');
    }
    slots.close();
  }

  enqueue(chunk = undefined) {
    const slots = slotsOfController(this);
    if (!slots.mayEnqueue) {
      throw invalidState('Controller is already closed');
    }
    slots.enqueue(chunk);
  }

  error(reason = undefined) {
    slotsOfController(this).error(reason);
  }
}

const controllerObject = (slots) => (slots.object ??= new ReadableStreamDefaultController(inside, slots));

finishClass(ReadableStream, (stream) => {
  const { state, controller } = slotsOfStream(stream);
  return { locked: stream.locked, state, supportsBYOB: controller.isByte };
});
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  value: ReadableStream.prototype.values, writable: true, configurable: true,
});
Object.defineProperty(ReadableStream, 'from', { enumerable: true });
makeTransferable(ReadableStream, (stream) => ({ readable: streamOf(stream) }));
finishClass(ReadableStreamDefaultReader, (reader) => {
  const { stream, requests, closed } = slotsOfReader(reader);
  return { stream: stream && streamObject(stream), readRequests: requests.length, close: closed.promise };
});
finishClass(ReadableStreamBYOBReader, (reader) => {
  const { stream, requests, closed } = slotsOfByobReader(reader);
  return { stream: stream && streamObject(stream), requests: requests.length, close: closed.promise };
});
finishClass(ReadableStreamDefaultController, () => ({}));

const streamObject = (slots) => (slots.object ??= new ReadableStream(inside, slots));

// What `internal/streams/utils` asks of a stream.
const shown = {
  'nodejs.stream.disturbed': (slots) => slots.disturbed,
  'nodejs.stream.errored': (slots) => slots.state === 'errored',
  'nodejs.stream.readable': (slots) => slots.state === 'readable',
  'nodejs.webstream.isClosedPromise': endOf,
  'nodejs.webstream.controllerErrorFunction': (slots) => (reason) => slots.controller.error(reason),
};
for (const name of Object.keys(shown)) {
  Object.defineProperty(ReadableStream.prototype, Symbol.for(name), {
    get() {
      return shown[name](streamOf(this));
    },
    configurable: true,
  });
}

for (const name of ['blob', 'bytes', 'json', 'text']) {
  const method = { async [name]() { return require('web/streams/whole')[name](this); } }[name];
  Object.defineProperty(ReadableStream.prototype, name, { __proto__: null, value: method, writable: true, configurable: true });
}

/**
 * A stream of our own: `source` has `pull` and `cancel`, `start` is what a start gave. Gives slots.
 */
function makeStream(source, start = undefined, mark = 1, size = () => 1) {
  const slots = new core.Readable();
  new core.DefaultController(slots, source, size, mark);
  slots.controller.start(start);
  return slots;
}

module.exports = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamDefaultController,
  makeStream, slotsOfStream, streamObject,
};
