// What byte controllers keep: bytes in a queue, views that wait to be filled, the request that
// shows one to a program. In: buffers. Out: the same, with their places. Absent: filling them
// (byte_core.js).
'use strict';

/** Bytes in the queue. */
class Entry {
  buffer;
  byteOffset;
  byteLength;

  constructor(buffer, byteOffset, byteLength) {
    this.buffer = buffer;
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
  }
}

/**
 * A view that waits to be filled. `reader`: 'default', 'byob' or, when that was released, 'none'.
 */
class PullInto {
  buffer;
  bufferByteLength;
  byteOffset;
  byteLength;
  bytesFilled = 0;
  minimumFill;
  elementSize;
  View;
  reader;

  constructor(buffer, byteOffset, byteLength, minimumFill, elementSize, View, reader) {
    this.buffer = buffer;
    this.bufferByteLength = buffer.byteLength;
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
    this.minimumFill = minimumFill;
    this.elementSize = elementSize;
    this.View = View;
    this.reader = reader;
  }
}

/** Where a program answers a pull. */
class ByobRequest {
  object = undefined;
  controller;
  view;

  constructor(controller, view) {
    this.controller = controller;
    this.view = view;
  }
}

function transfer(buffer) {
  return buffer.transfer();
}

const viewClasses = new Map([
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
  BigInt64Array, BigUint64Array, globalThis.Float16Array,
].filter(Boolean).map((Class) => [Class.name, Class]));
const nameOfView = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

/** The language's own class: of a Buffer, Uint8Array. */
const viewClass = (view) => viewClasses.get(Reflect.apply(nameOfView, view, []));

function viewOf(into) {
  return new into.View(transfer(into.buffer), into.byteOffset, into.bytesFilled / into.elementSize);
}

module.exports = { Entry, PullInto, ByobRequest, transfer, viewClass, viewOf };
