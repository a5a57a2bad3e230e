// `structuredClone`: the structured clone algorithm within one thread. In: a value, buffers to transfer. Out: its copy, with the same
// cycles and identities. Absent: streams and handles; they bring
// their own cloning when they come.
'use strict';

const { apply } = Reflect;
const tag = Object.prototype.toString;

const transfer = require('internal/messaging/transfer');
const { refuse } = transfer;
const { isForeign, nameOf } = require('internal/serdes/refusals');

function shown(value) {
  if (typeof value === 'symbol') return value.toString();
  if (typeof value === 'function') return Function.prototype.toString.call(value);
  return '#<Object>';
}

/** What `call` of a method that only the real thing has does not throw on. */
function is(method, value) {
  try {
    apply(method, value, []);
    return true;
  } catch {
    return false;
  }
}

const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const dateValue = Date.prototype.getTime;
const mapSize = getter(Map.prototype, 'size');
const setSize = getter(Set.prototype, 'size');
const regExpSource = getter(RegExp.prototype, 'flags');
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const maxLength = getter(ArrayBuffer.prototype, 'maxByteLength');
const viewTag = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const sharedLength = typeof SharedArrayBuffer === 'function' ? getter(SharedArrayBuffer.prototype, 'byteLength') : undefined;

const ERRORS = new Set(['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError']);

class Cloner {
  #known = new Map();
  #views;

  /** `views`: how long views were before their buffers moved. */
  constructor(views = new Map()) { this.#views = views; }

  /** Buffers that move: they are what they were, for the copy. */
  move(buffer, moved) { this.#known.set(buffer, moved); }

  clone(value) {
    switch (typeof value) {
      case 'symbol':
      case 'function':
        throw refuse(`${shown(value)} could not be cloned.`);
      case 'object':
        return value === null ? null : this.#object(value);
      default:
        return value;
    }
  }

  #object(value) {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (transfer.isMarked(value) && !ArrayBuffer.isView(value) && !transfer.isBuffer(value)) transfer.refuseMarked();
    if (transfer.isTransferOnly(value)) throw refuse('Object that needs transfer was found in message but not listed in transferList');
    const make = this.#special(value);
    if (make !== undefined) return make;
    if (Array.isArray(value)) return this.#members(value, this.#keep(value, new Array(value.length)));
    return this.#members(value, this.#keep(value, {}));
  }

  #keep(value, copy) {
    this.#known.set(value, copy);
    return copy;
  }

  #members(value, copy) {
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(value, key)) continue;
      const member = this.clone(value[key]);
      Object.defineProperty(copy, key, { __proto__: null, value: member, writable: true, enumerable: true, configurable: true });
    }
    return copy;
  }

  /** Everything that is not made of members alone. */
  #special(value) {
    const kind = apply(tag, value, []);
    if (ArrayBuffer.isView(value)) return this.#view(value);
    if (is(bufferLength, value)) return this.#buffer(value);
    if (sharedLength !== undefined && is(sharedLength, value)) return this.#keep(value, value);
    if (is(mapSize, value)) return this.#map(value);
    if (is(setSize, value)) return this.#set(value);
    if (is(dateValue, value)) return this.#keep(value, new Date(apply(dateValue, value, [])));
    if (Error.isError?.(value) ?? kind === '[object Error]') return this.#error(value);
    if (kind === '[object RegExp]' && is(regExpSource, value)) return this.#keep(value, new RegExp(value.source, value.flags));
    return this.#boxed(value) ?? this.#refused(value);
  }

  #boxed(value) {
    for (const { prototype } of [Number, String, Boolean, BigInt]) {
      if (is(prototype.valueOf, value)) return this.#keep(value, Object(apply(prototype.valueOf, value, [])));
    }
    if (is(Symbol.prototype.valueOf, value)) throw refuse('Object object could not be cloned.');
    return undefined;
  }

  #refused(value) {
    if (typeof value[transfer.kClone] === 'function') return this.#keep(value, value[transfer.kClone]());
    const { hasFiles, isBlob } = require('internal/blob');
    if (isBlob(value) && hasFiles(value)) {
      throw Object.assign(new TypeError('Invalid state: File-backed Blobs are not cloneable'), { code: 'ERR_INVALID_STATE' });
    }
    // What a blob holds never changes.
    if (isBlob(value)) return this.#keep(value, clonedBlob(value));
    if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef || value instanceof Promise) {
      throw refuse(`#<${value.constructor.name}> could not be cloned.`);
    }
    // What was compiled never changes.
    if (value instanceof WebAssembly.Module) return this.#keep(value, value);
    if (isForeign(value)) throw refuse(`${nameOf(value)} could not be cloned.`);
    return undefined;
  }

  #buffer(value) {
    if (apply(isDetached, value, [])) throw refuse('An ArrayBuffer is detached and could not be cloned.');
    const length = apply(bufferLength, value, []);
    const copy = apply(isResizable, value, [])
      ? new ArrayBuffer(length, { maxByteLength: apply(maxLength, value, []) })
      : new ArrayBuffer(length);
    new Uint8Array(copy).set(new Uint8Array(value));
    return this.#keep(value, copy);
  }

  #view(value) {
    const name = apply(viewTag, value, []) ?? 'DataView';
    const { buffer, offset, length } = this.#shape(value, name);
    return this.#keep(value, new globalThis[name](this.clone(buffer), offset, length));
  }

  #shape(value, name) {
    let shape = this.#views.get(value);
    if (shape === undefined) {
      const length = name === 'DataView' ? value.byteLength : value.length;
      this.#views.set(value, shape = { buffer: value.buffer, offset: value.byteOffset, length });
    }
    return shape;
  }

  #map(value) {
    const copy = this.#keep(value, new Map());
    for (const [key, member] of [...apply(Map.prototype.entries, value, [])]) copy.set(this.clone(key), this.clone(member));
    return copy;
  }

  #set(value) {
    const copy = this.#keep(value, new Set());
    for (const member of [...apply(Set.prototype.values, value, [])]) copy.add(this.clone(member));
    return copy;
  }

  #error(value) {
    const { DOMException, isDOMException } = require('web/dom_exception');
    if (isDOMException(value)) {
      const copy = this.#keep(value, new DOMException(value.message, value.name));
      Object.defineProperty(copy, 'stack', { __proto__: null, value: value.stack, writable: true, configurable: true });
      return copy;
    }
    const name = ERRORS.has(`${value.name}`) ? `${value.name}` : 'Error';
    const own = this.#keep(value, new globalThis[name]());
    const hidden = (key, given) => {
      Object.defineProperty(own, key, { __proto__: null, value: given, writable: true, enumerable: false, configurable: true });
    };
    const message = Object.getOwnPropertyDescriptor(value, 'message');
    if (message !== undefined && 'value' in message) hidden('message', `${message.value}`);
    hidden('stack', `${value.stack}`);
    if (Object.hasOwn(value, 'cause')) hidden('cause', this.clone(value.cause));
    return own;
  }
}

function clonedBlob(blob) {
  const { File } = require('internal/file');
  const { size, type } = blob;
  return blob instanceof File ? new File([blob], blob.name, { type, lastModified: blob.lastModified }) : blob.slice(0, size, type);
}

/** The copy of a value, with what of `list` moves along in place of what it was, for whoever gets it. */
function clonePacket(value, list) {
  // What moves is moved last, so that an error leaves it where it is.
  const views = new Map();
  if (list.length > 0) {
    const trial = new Cloner(views);
    for (const item of list) trial.move(item, item);
    trial.clone(value);
  }
  const cloner = new Cloner(views);
  const { moved, error } = transfer.move(list);
  if (error !== undefined) return { error, ports: [] };
  for (const [item, now] of moved) cloner.move(item, now);
  const { MessagePort } = moved.length === 0 ? {} : require('web/message_port');
  return { value: cloner.clone(value), ports: moved.map(([, now]) => now).filter((now) => now instanceof MessagePort) };
}

function structuredClone(value, options) {
  if (arguments.length === 0) {
    const { codes: { ERR_MISSING_ARGS } } = require('internal/errors');
    throw new ERR_MISSING_ARGS('The "value" argument must be specified');
  }
  const list = transfer.readOptions(options);
  if (list.length === 0) return new Cloner().clone(value);
  transfer.check(list, undefined);
  const packet = clonePacket(value, list);
  if ('error' in packet) throw packet.error;
  return packet.value;
}

module.exports = { clonePacket, structuredClone };
