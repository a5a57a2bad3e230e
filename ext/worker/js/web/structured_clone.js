// `structuredClone` and messages within a thread: the HTML standard's structured clone without
// serialization. In: a value, a transfer list. Out: a copy with the same cycles and identities.
// Absent: messages to other threads (internal/messaging/encoder.js), which refuse the same values.
'use strict';

const { apply } = Reflect;
const { keys: keysOf, hasOwn, defineProperty } = Object;
const { isArray } = Array;

const { kindOfAny, isSharedArrayBuffer } = require('internal/util/types');
const { keysUnlessDense } = require('internal/messaging/array_keys');
const { kClone } = require('internal/messaging/symbols');
const transfer = require('internal/messaging/transfer');
const { isLengthTracking, isProcessEnv, isEngineObject, noSideEffectsToString } = require('internal/serdes/uncloneable');

const { dataCloneError } = transfer;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const dateValue = Date.prototype.getTime;
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const maxLength = getter(ArrayBuffer.prototype, 'maxByteLength');
const viewTag = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

const ERRORS = new Set(['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError']);
/** Classes of primitive wrappers. */
const WRAPPERS = { __proto__: null, number: Number, string: String, boolean: Boolean, bigint: BigInt };

const defineOwnProperty = (object, key, value) => defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
const uncloneableError = (value) => dataCloneError(`${noSideEffectsToString(value)} could not be cloned.`);

class Cloner {
  #copies = new Map();
  #viewShapes;

  /** `viewShapes`: offsets and lengths of views from before their buffers were transferred. */
  constructor(viewShapes = new Map()) { this.#viewShapes = viewShapes; }

  /** Maps a transferred object to the receiver's one. */
  addTransferred(object, transferred) { this.#copies.set(object, transferred); }

  clone(value) {
    switch (typeof value) {
      case 'symbol':
      case 'function':
        throw uncloneableError(value);
      case 'object':
        return value === null ? null : this.#cloneObject(value);
      default:
        return value;
    }
  }

  #cloneObject(value) {
    const existing = this.#copies.get(value);
    if (existing !== undefined) return existing;
    const kind = kindOfAny(value);
    switch (kind) {
      case 'buffer': return isSharedArrayBuffer(value) ? this.#addCopy(value, value) : this.#cloneBuffer(value);
      case 'typedarray': case 'dataview': return this.#cloneView(value, kind);
    }
    if (transfer.isMarkedUncloneable(value)) transfer.throwUncloneable();
    switch (kind) {
      case 'other': return this.#cloneOrdinary(value);
      case 'date': return this.#addCopy(value, new Date(apply(dateValue, value, [])));
      case 'regexp': return this.#addCopy(value, new RegExp(value.source, value.flags));
      case 'map': return this.#cloneMap(value);
      case 'set': return this.#cloneSet(value);
      case 'error': return this.#cloneError(value);
      case 'number': case 'string': case 'boolean': case 'bigint':
        return this.#addCopy(value, Object(apply(WRAPPERS[kind].prototype.valueOf, value, [])));
      default:
        if (!isProcessEnv(value)) throw uncloneableError(value);
        return this.#addCopy(value, { ...value });
    }
  }

  #addCopy(value, copy) {
    this.#copies.set(value, copy);
    return copy;
  }

  /** Arrays, platform objects and ordinary objects. */
  #cloneOrdinary(value) {
    if (isArray(value)) return this.#cloneArray(value);
    if (value[transfer.kTransfer] !== undefined) throw dataCloneError('Object that needs transfer was found in message but not listed in transferList');
    const copy = value[kClone]?.();
    if (copy !== undefined) return this.#addCopy(value, copy);
    if (isEngineObject(value)) return this.#cloneEngineObject(value);
    return this.#cloneProperties(value, keysOf(value), this.#addCopy(value, {}));
  }

  /** A WebAssembly.Module is immutable. A shared memory is cloned as for another thread. */
  #cloneEngineObject(value) {
    if (value instanceof WebAssembly.Module) return this.#addCopy(value, value);
    if (require('internal/modules/webassembly').sharedMemoryOf(value) === undefined) throw uncloneableError(value);
    const { serialize, deserialize } = require('internal/messaging/packets');
    return this.#addCopy(value, deserialize(serialize(value)).value);
  }

  #cloneArray(value) {
    const { length } = value;
    const keys = keysUnlessDense(value, length);
    const copy = this.#addCopy(value, new Array(length));
    if (keys !== undefined) return this.#cloneProperties(value, keys, copy);
    for (let i = 0; i < length; i++) {
      const item = value[i];
      if (item === undefined && !hasOwn(value, i)) continue;
      const member = typeof item === 'number' || typeof item === 'string' ? item : this.clone(item);
      if (i in copy) defineOwnProperty(copy, i, member);
      else copy[i] = member;
    }
    return copy;
  }

  #cloneProperties(value, keys, copy) {
    for (const key of keys) {
      if (!hasOwn(value, key)) continue;
      const member = this.clone(value[key]);
      // No setter of the prototype may be called.
      if (key in copy) defineOwnProperty(copy, key, member);
      else copy[key] = member;
    }
    return copy;
  }

  #cloneBuffer(value) {
    if (apply(isDetached, value, [])) throw dataCloneError('An ArrayBuffer is detached and could not be cloned.');
    const length = apply(bufferLength, value, []);
    const copy = apply(isResizable, value, [])
      ? new ArrayBuffer(length, { maxByteLength: apply(maxLength, value, []) })
      : new ArrayBuffer(length);
    new Uint8Array(copy).set(new Uint8Array(value));
    return this.#addCopy(value, copy);
  }

  #cloneView(value, kind) {
    const name = kind === 'dataview' ? 'DataView' : apply(viewTag, value, []);
    const { buffer, offset, length } = this.#viewShape(value, name);
    return this.#addCopy(value, new globalThis[name](this.clone(buffer), offset, length));
  }

  #viewShape(value, name) {
    let shape = this.#viewShapes.get(value);
    if (shape === undefined) {
      const { buffer, byteOffset: offset } = value;
      const isTracking = !isSharedArrayBuffer(buffer) && apply(isResizable, buffer, []) && isLengthTracking(value);
      const length = isTracking ? undefined : name === 'DataView' ? value.byteLength : value.length;
      this.#viewShapes.set(value, shape = { buffer, offset, length });
    }
    return shape;
  }

  #cloneMap(value) {
    const copy = this.#addCopy(value, new Map());
    for (const [key, member] of [...apply(Map.prototype.entries, value, [])]) copy.set(this.clone(key), this.clone(member));
    return copy;
  }

  #cloneSet(value) {
    const copy = this.#addCopy(value, new Set());
    for (const member of [...apply(Set.prototype.values, value, [])]) copy.add(this.clone(member));
    return copy;
  }

  #cloneError(value) {
    const { DOMException, isDOMException } = require('web/dom_exception');
    if (isDOMException(value)) {
      const copy = this.#addCopy(value, new DOMException(value.message, value.name));
      defineProperty(copy, 'stack', { __proto__: null, value: value.stack, writable: true, configurable: true });
      return copy;
    }
    const name = ERRORS.has(`${value.name}`) ? `${value.name}` : 'Error';
    const copy = this.#addCopy(value, new globalThis[name]());
    const defineHidden = (key, property) => {
      defineProperty(copy, key, { __proto__: null, value: property, writable: true, enumerable: false, configurable: true });
    };
    const message = Object.getOwnPropertyDescriptor(value, 'message');
    if (message !== undefined && 'value' in message) defineHidden('message', `${message.value}`);
    const { stack } = value;
    defineHidden('stack', typeof stack === 'string' ? stack : undefined);
    if (hasOwn(value, 'cause')) defineHidden('cause', this.clone(value.cause));
    return copy;
  }
}

/** Clones a value and transfers the objects of a list: { value, ports } or { error, ports }. */
function cloneWithTransfer(value, transferList) {
  // A first clone finds errors before any object is transferred.
  const viewShapes = new Map();
  if (transferList.length > 0) {
    const dryRun = new Cloner(viewShapes);
    for (const item of transferList) dryRun.addTransferred(item, item);
    dryRun.clone(value);
  }
  const cloner = new Cloner(viewShapes);
  const { transferred, error } = transfer.transferAll(transferList);
  if (error !== undefined) return { error, ports: [] };
  for (const [item, receiverItem] of transferred) cloner.addTransferred(item, receiverItem);
  const { MessagePort } = transferred.length === 0 ? {} : require('web/message_port');
  return { value: cloner.clone(value), ports: transferred.map(([, receiverItem]) => receiverItem).filter((receiverItem) => receiverItem instanceof MessagePort) };
}

function structuredClone(value, options) {
  if (arguments.length === 0) {
    const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');
    throw new ERR_MISSING_ARGS('The "value" argument must be specified');
  }
  const transferList = transfer.parseCloneOptions(options);
  if (transferList.length === 0) return new Cloner().clone(value);
  transfer.validateTransferList(transferList, undefined);
  const packet = cloneWithTransfer(value, transferList);
  if ('error' in packet) throw packet.error;
  return packet.value;
}

module.exports = { cloneWithTransfer, structuredClone };
