// Interfaces of byte streams: ReadableByteStreamController, ReadableStreamBYOBRequest, and `read`
// of BYOB readers. In: views, arguments, which are checked here. Out: the same views with bytes.
// Absent: the abstract operations (byte_controller.js).
'use strict';

const {
  convertDictionary, finishClass, illegalConstructor, invalidState, invalidThis, isObject,
  rangeError, promiseRejectedWith, typeError, wrongType,
} = require('web/streams/webidl_utils');

const kConstructorKey = Symbol('kConstructorKey');
let slotsOfController;
let slotsOfRequest;

const isArrayBufferView = (value) => ArrayBuffer.isView(value);

function validateView(view, name) {
  if (!isArrayBufferView(view)) {
    throw wrongType(name, ['Buffer', 'TypedArray', 'DataView'], view);
  }
  const { buffer } = view;
  if (typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer) {
    throw typeError('ERR_INVALID_ARG_VALUE', `The argument '${name}' must not be shared`);
  }
}

function validateNotEmpty(view, name) {
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
    if (key !== kConstructorKey) {
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
    const { currentByobRequest: request } = slotsOfController(this);
    return request === null ? null : byobRequestObject(request);
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
    validateView(chunk, 'chunk');
    validateNotEmpty(chunk, 'chunk');
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
    if (key !== kConstructorKey) {
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
    validateView(view, 'view');
    if (controller === undefined) {
      throw invalidState('This BYOB request has been invalidated');
    }
    if (view.buffer.detached) {
      throw invalidState('The buffer of the view is detached');
    }
    controller.respondWithNewView(view);
  }
}

/** `read` of ReadableStreamBYOBReader. */
function byobReaderRead(reader, view, options, request) {
  try {
    validateView(view, 'view');
    const minOption = convertDictionary(options, 'options')?.min;
    const min = minOption === undefined ? 1 : Math.trunc(+minOption);
    if (!(min >= 0 && min <= Number.MAX_SAFE_INTEGER)) {
      throw typeError('ERR_INVALID_ARG_VALUE', `The property 'options.min' is invalid. Received ${String(minOption)}`);
    }
    validateNotEmpty(view, 'view');
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
    readableStreamBYOBReaderRead(stream, view, min, request);
  } catch (error) {
    return promiseRejectedWith(error);
  }
  return request.promise;
}

function readableStreamBYOBReaderRead(stream, view, min, request) {
  stream.disturbed = true;
  if (stream.state === 'errored') {
    request.error(stream.storedError);
  } else {
    stream.controller.pullInto(view, min, request);
  }
}

const byteControllerObject = (slots) => (slots.object ??= new ReadableByteStreamController(kConstructorKey, slots));
const byobRequestObject = (slots) => (slots.object ??= new ReadableStreamBYOBRequest(kConstructorKey, slots));

finishClass(ReadableByteStreamController, () => ({}));
finishClass(ReadableStreamBYOBRequest, (request) => {
  const { view, controller } = slotsOfRequest(request);
  return { view, controller: controller && byteControllerObject(controller) };
});

module.exports = {
  ReadableByteStreamController, ReadableStreamBYOBRequest, byteControllerObject, byobReaderRead,
  readableStreamBYOBReaderRead,
};
