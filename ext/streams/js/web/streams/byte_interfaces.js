// What programs see of byte streams: ReadableByteStreamController, ReadableStreamBYOBRequest, and
// how views are read into. In: views, arguments, which are checked here. Out: the same with their
// bytes. Absent: what happens (byte_core.js).
'use strict';

const {
  dictionary, finishClass, illegalConstructor, invalidState, invalidThis, isObject, rangeError, rejectedWith, typeError, wrongType,
} = require('web/streams/webidl_utils');

const inside = Symbol('inside');
let slotsOfController;
let slotsOfRequest;

const isView = (value) => ArrayBuffer.isView(value);

function checkView(view, name) {
  if (!isView(view)) {
    throw wrongType(name, ['Buffer', 'TypedArray', 'DataView'], view);
  }
  const { buffer } = view;
  if (typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer) {
    throw typeError('ERR_INVALID_ARG_VALUE', `The argument '${name}' must not be shared`);
  }
}

function checkNotEmpty(view, name) {
  if (view.byteLength === 0) {
    throw invalidState(`${name} must not be zero-length${view.buffer.detached ? ': its buffer is detached' : ''}`);
  }
  if (view.buffer.byteLength === 0) {
    throw invalidState(`The buffer of ${name} must not be zero-length`);
  }
}

class ReadableByteStreamController {
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
        throw invalidThis('ReadableByteStreamController');
      }
      return object.#slots;
    };
  }

  get byobRequest() {
    const { request } = slotsOfController(this);
    return request === null ? null : requestObject(request);
  }

  get desiredSize() {
    return slotsOfController(this).desiredSize;
  }

  close() {
    const slots = slotsOfController(this);
    if (slots.closeRequested || slots.stream.state !== 'readable') {
      throw invalidState('Controller is already closed');
    }
    slots.close();
  }

  enqueue(chunk) {
    const slots = slotsOfController(this);
    checkView(chunk, 'chunk');
    checkNotEmpty(chunk, 'chunk');
    if (slots.closeRequested || slots.stream.state !== 'readable') {
      throw invalidState('Controller is already closed');
    }
    slots.enqueue(chunk);
  }

  error(reason = undefined) {
    slotsOfController(this).error(reason);
  }
}

class ReadableStreamBYOBRequest {
  #slots;

  constructor(key = undefined, slots = undefined) {
    if (key !== inside) {
      throw illegalConstructor();
    }
    this.#slots = slots;
  }

  static {
    slotsOfRequest = (object) => {
      if (!isObject(object) || !(#slots in object)) {
        throw invalidThis('ReadableStreamBYOBRequest');
      }
      return object.#slots;
    };
  }

  get view() {
    return slotsOfRequest(this).view;
  }

  respond(bytesWritten) {
    const { controller, view } = slotsOfRequest(this);
    if (arguments.length === 0) {
      throw typeError('ERR_MISSING_ARGS', 'The "bytesWritten" argument must be specified');
    }
    const count = Math.trunc(+bytesWritten);
    if (!(count >= 0 && count <= Number.MAX_SAFE_INTEGER)) {
      throw typeError('ERR_INVALID_ARG_VALUE', `The argument 'bytesWritten' is invalid. Received ${String(bytesWritten)}`);
    }
    if (controller === undefined) {
      throw invalidState('This BYOB request has been invalidated');
    }
    if (view.buffer.detached) {
      throw invalidState('The buffer of the view is detached');
    }
    controller.respond(count);
  }

  respondWithNewView(view) {
    const { controller } = slotsOfRequest(this);
    checkView(view, 'view');
    if (controller === undefined) {
      throw invalidState('This BYOB request has been invalidated');
    }
    if (view.buffer.detached) {
      throw invalidState('The buffer of the view is detached');
    }
    controller.respondWithNewView(view);
  }
}

/** `read` of a BYOB reader. */
function readInto(reader, view, options, request) {
  try {
    checkView(view, 'view');
    const given = dictionary(options, 'options')?.min;
    const min = given === undefined ? 1 : Math.trunc(+given);
    if (!(min >= 0 && min <= Number.MAX_SAFE_INTEGER)) {
      throw typeError('ERR_INVALID_ARG_VALUE', `The property 'options.min' is invalid. Received ${String(given)}`);
    }
    checkNotEmpty(view, 'view');
    if (min === 0) {
      throw typeError('ERR_INVALID_ARG_VALUE', `The property 'options.min' must be greater than 0. Received 0`);
    }
    const length = view.length ?? view.byteLength;
    if (min > length) {
      throw rangeError('ERR_OUT_OF_RANGE', `The value of "options.min" is out of range. It must be <= ${length}. Received ${min}`);
    }
    const { stream } = reader;
    if (stream === undefined) {
      throw invalidState('The reader is not attached to a stream');
    }
    readView(stream, view, min, request);
  } catch (error) {
    return rejectedWith(error);
  }
  return request.promise;
}

function readView(stream, view, min, request) {
  stream.disturbed = true;
  if (stream.state === 'errored') {
    request.error(stream.storedError);
  } else {
    stream.controller.pullInto(view, min, request);
  }
}

const byteControllerObject = (slots) => (slots.object ??= new ReadableByteStreamController(inside, slots));
const requestObject = (slots) => (slots.object ??= new ReadableStreamBYOBRequest(inside, slots));

finishClass(ReadableByteStreamController, () => ({}));
finishClass(ReadableStreamBYOBRequest, (request) => {
  const { view, controller } = slotsOfRequest(request);
  return { view, controller: controller && byteControllerObject(controller) };
});

module.exports = { ReadableByteStreamController, ReadableStreamBYOBRequest, byteControllerObject, readInto, readView };
