// Serializer for JavaScriptCore's serialization format. In: a value. Out: bytes that bun reads. A
// value that cannot be cloned throws DataCloneError.
'use strict';

const T = require('internal/ipc/jsc_serialization/tags');

const { apply } = Reflect;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const viewTag = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const mapSize = getter(Map.prototype, 'size');
const setSize = getter(Set.prototype, 'size');
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const regExpFlags = getter(RegExp.prototype, 'flags');

function cloneError(value) {
  const { DOMException } = require('web/dom_exception');
  const { inspect } = require('internal/util/inspect');
  return new DOMException(`${inspect(value, { depth: -1 })} could not be cloned.`, 'DataCloneError');
}

/** Whether a value has the internal slot that a method checks. */
function hasInternalSlot(method, value) {
  try {
    apply(method, value, []);
    return true;
  } catch {
    return false;
  }
}

class Serializer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  #strings = new Map();
  #objects = new Map();

  get bytes() { return this.#bytes.subarray(0, this.#length); }

  /** Grows the buffer by `count` bytes; returns their offset. */
  #reserve(count) {
    const length = this.#length + count;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    const at = this.#length;
    this.#length = length;
    return at;
  }

  uint8(value) {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  uint32(value) {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  #uint64(value) {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value, true);
  }

  #double(value) {
    const at = this.#reserve(8);
    this.#view.setFloat64(at, value, true);
  }

  #writeBytes(bytes) {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** An index into a list of `count` entries, in as many bytes as `count` needs. */
  #index(index, count) {
    if (count <= 0xff) return this.uint8(index);
    if (count > 0xffff) return this.uint32(index);
    const at = this.#reserve(2);
    this.#view.setUint16(at, index, true);
    return undefined;
  }

  #string(string) {
    const index = this.#strings.get(string);
    if (index !== undefined) {
      this.uint32(T.STRING_POOL);
      this.#index(index, this.#strings.size);
      return;
    }
    this.#strings.set(string, this.#strings.size);
    const { length } = string;
    let isLatin1 = true;
    for (let i = 0; i < length && isLatin1; i++) isLatin1 = string.charCodeAt(i) < 256;
    this.uint32(isLatin1 ? (length | T.LATIN1) >>> 0 : length);
    let at = this.#reserve(isLatin1 ? length : length * 2);
    for (let i = 0; i < length; i++, at += isLatin1 ? 1 : 2) {
      if (isLatin1) this.#bytes[at] = string.charCodeAt(i);
      else this.#view.setUint16(at, string.charCodeAt(i), true);
    }
  }

  #optionalString(string) {
    this.uint32(string === undefined ? 1 : 0);
    if (string !== undefined) this.#string(string);
  }

  value(value) {
    switch (typeof value) {
      case 'undefined': return this.uint8(T.UNDEFINED);
      case 'boolean': return this.uint8(value ? T.TRUE : T.FALSE);
      case 'number': return this.#number(value);
      case 'bigint': return this.#bigint(T.BIGINT, value);
      case 'string': return this.#stringValue(value);
      case 'object': return value === null ? this.uint8(T.NULL) : this.#object(value);
      default: throw cloneError(value);
    }
  }

  #number(value) {
    if (value === 0 && !Object.is(value, -0)) return this.uint8(T.ZERO);
    if (value === 1) return this.uint8(T.ONE);
    if ((value | 0) === value && !Object.is(value, -0)) {
      this.uint8(T.INT);
      return this.uint32(value);
    }
    this.uint8(T.DOUBLE);
    return this.#double(value);
  }

  #stringValue(value) {
    if (value === '') return this.uint8(T.EMPTY_STRING);
    this.uint8(T.STRING);
    return this.#string(value);
  }

  #bigint(tag, value) {
    this.uint8(tag);
    this.uint8(value < 0n ? 1 : 0);
    const digits = [];
    for (let remaining = value < 0n ? -value : value; remaining > 0n; remaining >>= 64n) digits.push(remaining & 0xffffffffffffffffn);
    this.uint32(digits.length);
    for (const digit of digits) this.#uint64(digit);
  }

  #addObject(value) { this.#objects.set(value, this.#objects.size); }

  #object(value) {
    const index = this.#objects.get(value);
    if (index !== undefined) {
      this.uint8(T.OBJECT_REFERENCE);
      this.#index(index, this.#objects.size);
      return;
    }
    // A view's buffer is written before the view.
    if (ArrayBuffer.isView(value)) return this.#arrayBufferView(value);
    this.#addObject(value);
    if (!this.#builtinObject(value)) {
      if (Array.isArray(value)) this.#array(value);
      else {
        this.uint8(T.OBJECT);
        this.#properties(value, Object.keys(value));
      }
    }
    return undefined;
  }

  #properties(value, keys) {
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue;
      const member = value[key];
      this.#string(key);
      this.value(member);
    }
    this.uint32(T.TERMINATOR);
  }

  #array(value) {
    this.uint8(T.ARRAY);
    this.uint32(value.length);
    const nonIndexKeys = [];
    for (const key of Object.keys(value)) {
      const index = Number(key);
      if (!(index < value.length) || `${index >>> 0}` !== key) {
        nonIndexKeys.push(key);
        continue;
      }
      this.uint32(index);
      this.value(value[key]);
    }
    if (nonIndexKeys.length === 0) return this.uint32(T.TERMINATOR);
    this.uint32(T.NON_INDEX_PROPERTIES);
    return this.#properties(value, nonIndexKeys);
  }

  #builtinObject(value) {
    const { DOMException } = require('web/dom_exception');
    if (hasInternalSlot(bufferLength, value)) this.#arrayBuffer(value);
    else if (hasInternalSlot(mapSize, value)) this.#map(value);
    else if (hasInternalSlot(setSize, value)) this.#set(value);
    else if (hasInternalSlot(Date.prototype.getTime, value)) this.#tagAndDouble(T.DATE, apply(Date.prototype.getTime, value, []));
    else if (value instanceof DOMException) this.#domException(value);
    else if (Error.isError(value)) this.#error(value);
    else if (Object.prototype.toString.call(value) === '[object RegExp]' && hasInternalSlot(regExpFlags, value)) this.#regExp(value);
    else return this.#primitiveWrapper(value);
    return true;
  }

  #tagAndDouble(tag, number) {
    this.uint8(tag);
    this.#double(number);
  }

  #primitiveWrapper(value) {
    if (hasInternalSlot(Number.prototype.valueOf, value)) this.#tagAndDouble(T.NUMBER_OBJECT, apply(Number.prototype.valueOf, value, []));
    else if (hasInternalSlot(Boolean.prototype.valueOf, value)) this.uint8(apply(Boolean.prototype.valueOf, value, []) ? T.TRUE_OBJECT : T.FALSE_OBJECT);
    else if (hasInternalSlot(BigInt.prototype.valueOf, value)) this.#bigint(T.BIGINT_OBJECT, apply(BigInt.prototype.valueOf, value, []));
    else if (hasInternalSlot(String.prototype.valueOf, value)) this.#stringWrapper(apply(String.prototype.valueOf, value, []));
    else if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef || value instanceof Promise || hasInternalSlot(Symbol.prototype.valueOf, value)) throw cloneError(value);
    else return false;
    return true;
  }

  #stringWrapper(string) {
    this.uint8(string === '' ? T.EMPTY_STRING_OBJECT : T.STRING_OBJECT);
    if (string !== '') this.#string(string);
  }

  #regExp({ source, flags }) {
    this.uint8(T.REGEXP);
    this.#string(source);
    this.#string(flags);
  }

  #domException({ message, name }) {
    this.uint8(T.DOM_EXCEPTION);
    this.#string(message);
    this.#string(name);
  }

  #error(value) {
    this.uint8(T.ERROR);
    this.uint8(Math.max(T.ERRORS.indexOf(`${value.name}`), 0));
    this.#optionalString(Object.hasOwn(value, 'message') ? `${value.message}` : undefined);
    this.uint32(0);
    this.uint32(0);
    this.#optionalString(undefined);
    this.#optionalString(typeof value.stack === 'string' ? value.stack : undefined);
  }

  #map(value) {
    this.uint8(T.MAP);
    for (const [key, member] of [...apply(Map.prototype.entries, value, [])]) {
      this.value(key);
      this.value(member);
    }
    this.uint8(T.MAP_END);
    this.#properties(value, Object.keys(value));
  }

  #set(value) {
    this.uint8(T.SET);
    for (const member of [...apply(Set.prototype.values, value, [])]) this.value(member);
    this.uint8(T.SET_END);
    this.#properties(value, Object.keys(value));
  }

  #arrayBuffer(buffer) {
    if (apply(isDetached, buffer, [])) throw cloneError(buffer);
    this.uint8(buffer.resizable ? T.RESIZABLE_ARRAY_BUFFER : T.ARRAY_BUFFER);
    this.#uint64(BigInt(buffer.byteLength));
    if (buffer.resizable) this.#uint64(BigInt(buffer.maxByteLength));
    this.#writeBytes(new Uint8Array(buffer));
  }

  /** Serializes only the bytes of the view: a small Buffer is a view of a large pool. */
  #arrayBufferView(view) {
    const { byteLength } = view;
    const isPartial = byteLength < view.buffer.byteLength;
    const buffer = isPartial ? new Uint8Array(view.buffer, view.byteOffset, byteLength).slice().buffer : view.buffer;
    this.uint8(T.ARRAY_BUFFER_VIEW);
    this.uint8(T.VIEWS.indexOf(apply(viewTag, view, []) ?? 'DataView'));
    this.#uint64(BigInt(isPartial ? 0 : view.byteOffset));
    this.#uint64(BigInt(byteLength));
    this.value(buffer);
    this.#addObject(view);
  }
}

function serialize(value) {
  const serializer = new Serializer();
  serializer.uint32(T.VERSION);
  serializer.value(value);
  return serializer.bytes;
}

module.exports = { serialize };
