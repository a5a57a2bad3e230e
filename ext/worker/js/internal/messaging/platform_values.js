// Rare kinds of values in messages to other threads: errors, buffers, views, platform objects,
// WebAssembly. In: a value. Out: what encoder.js writes of it; pending attachments of the binding.
// Absent: writing; plain objects, arrays and collections (encoder.js).
'use strict';

const { ERRORS, VIEWS } = require('internal/messaging/tags');
const transfer = require('internal/messaging/transfer');
const { kSerialize, serializerOf, typeIndex } = require('internal/messaging/cloneable');
const { isSharedArrayBuffer } = require('internal/util/types');
const { isLengthTracking, noSideEffectsToString } = require('internal/serdes/uncloneable');
const binding = internalBinding('message_port');

const { WASM_MEMORY, WASM_MODULE } = binding.tag;
const { apply } = Reflect;
const { hasOwn } = Object;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const tagOfView = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const maxLength = getter(ArrayBuffer.prototype, 'maxByteLength');

function dataCloneError(value) {
  return transfer.dataCloneError(`${noSideEffectsToString(value)} could not be cloned.`);
}

/** { type, flags, message, stack, hasCause }; `flags`: 1 message, 2 cause, 4 stack. */
function describeError(value) {
  const type = ERRORS.indexOf(`${value.name}`);
  const descriptor = Object.getOwnPropertyDescriptor(value, 'message');
  const hasMessage = descriptor !== undefined && 'value' in descriptor;
  const hasCause = hasOwn(value, 'cause');
  const { stack } = value;
  const hasStack = typeof stack === 'string';
  return {
    type: type < 0 ? 0 : type,
    flags: (hasMessage ? 1 : 0) | (hasCause ? 2 : 0) | (hasStack ? 4 : 0),
    message: hasMessage ? `${descriptor.value}` : '',
    stack: hasStack ? stack : '',
    hasCause,
  };
}

/** The attachment of an ArrayBuffer's bytes. */
function attachArrayBuffer(buffer) {
  if (apply(isDetached, buffer, [])) throw transfer.dataCloneError('An ArrayBuffer is detached and could not be cloned.');
  return binding.attachBytes(new Uint8Array(buffer));
}

/** The limit of a resizable buffer; -1: it is not resizable. */
function maxByteLengthOf(buffer) {
  return apply(isResizable, buffer, []) ? apply(maxLength, buffer, []) : -1;
}

function attachSharedArrayBuffer(buffer) {
  const index = binding.attachShared?.(buffer);
  if (index === undefined) throw transfer.dataCloneError('A SharedArrayBuffer cannot be shared with another thread by this release of the engine.');
  return index;
}

/** { type, buffer, byteOffset, length }; length -1: it tracks the buffer's. */
function describeView(view, kind) {
  const name = kind === 'dataview' ? 'DataView' : apply(tagOfView, view, []);
  const { buffer, byteOffset } = view;
  const isGrowable = isSharedArrayBuffer(buffer) ? buffer.growable : apply(isResizable, buffer, []);
  const isTracking = isGrowable && !isSharedArrayBuffer(buffer) && isLengthTracking(view);
  const length = isTracking ? -1 : kind === 'dataview' ? view.byteLength : view.length;
  return { type: VIEWS.indexOf(name), buffer, byteOffset, length };
}

/**
 * { type, native, data } of a platform object, `native` being an attachment or undefined;
 * undefined: it is cloned as an ordinary object.
 */
function serializePlatformObject(value) {
  const serializer = value[kSerialize] ?? serializerOf(value);
  if (typeof serializer !== 'function') throw transfer.dataCloneError('Object that needs transfer was found in message but not listed in transferList');
  const serialized = apply(serializer, value, []);
  if (serialized === undefined) return undefined;
  const { type, data, native } = serialized;
  return { type: typeIndex(type), native: native === undefined ? undefined : binding.attachNative(native), data };
}

/** [tag, attachment] of a WebAssembly.Module or shared memory. Other objects cannot be cloned. */
function attachWebAssembly(value) {
  const memory = require('internal/modules/webassembly').sharedMemoryOf(value);
  const index = memory === undefined ? binding.attachModule(value) : attachSharedArrayBuffer(memory);
  if (index === undefined) throw dataCloneError(value);
  return [memory === undefined ? WASM_MODULE : WASM_MEMORY, index];
}

module.exports = {
  attachArrayBuffer, attachSharedArrayBuffer, attachWebAssembly, dataCloneError, describeError, describeView, maxByteLengthOf, serializePlatformObject,
};
