// Records of byte controllers: queue entries, pull-into descriptors, BYOB requests. In: buffers.
// Out: the same with offset and length. Absent: filling them (byte_controller.js).
'use strict';

/** Readable byte stream queue entry of the standard. */
class ByteQueueEntry {
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
 * Pull-into descriptor: a view that a read request waits for. `readerType`: 'default', 'byob', or
 * 'none' after the reader was released.
 */
class PullIntoDescriptor {
  buffer;
  bufferByteLength;
  byteOffset;
  byteLength;
  bytesFilled = 0;
  minimumFill;
  elementSize;
  View;
  readerType;

  constructor(buffer, byteOffset, byteLength, minimumFill, elementSize, View, readerType) {
    this.buffer = buffer;
    this.bufferByteLength = buffer.byteLength;
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
    this.minimumFill = minimumFill;
    this.elementSize = elementSize;
    this.View = View;
    this.readerType = readerType;
  }
}

/** Internal slots of a ReadableStreamBYOBRequest, which a program responds to. */
class ByobRequestSlots {
  object = undefined;
  controller;
  view;

  constructor(controller, view) {
    this.controller = controller;
    this.view = view;
  }
}

function transferArrayBuffer(buffer) {
  return buffer.transfer();
}

const viewConstructors = new Map([
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
  BigInt64Array, BigUint64Array, globalThis.Float16Array,
].filter(Boolean).map((Class) => [Class.name, Class]));
const getViewName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

/** The built-in constructor of a view: Uint8Array for a Buffer. */
const viewConstructorOf = (view) => viewConstructors.get(Reflect.apply(getViewName, view, []));

function convertPullIntoDescriptor(descriptor) {
  return new descriptor.View(transferArrayBuffer(descriptor.buffer), descriptor.byteOffset, descriptor.bytesFilled / descriptor.elementSize);
}

module.exports = {
  ByteQueueEntry, PullIntoDescriptor, ByobRequestSlots, transferArrayBuffer, viewConstructorOf,
  convertPullIntoDescriptor,
};
