// Values as bytes in the engine's own form. In: a value. Out: bytes that bun reads. What cannot be
// copied throws DataCloneError.
'use strict';

const T = require('internal/ipc/bun_form/tags');

const { apply } = Reflect;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const viewTag = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const mapSize = getter(Map.prototype, 'size');
const setSize = getter(Set.prototype, 'size');
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const regExpFlags = getter(RegExp.prototype, 'flags');

function refuse(value) {
  const { DOMException } = require('web/dom_exception');
  const { inspect } = require('internal/util/inspect');
  return new DOMException(`${inspect(value, { depth: -1 })} could not be cloned.`, 'DataCloneError');
}

/** Whether a method that only the real thing has does not throw on it. */
function is(method, value) {
  try {
    apply(method, value, []);
    return true;
  } catch {
    return false;
  }
}

class Writer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  #texts = new Map();
  #objects = new Map();

  get written() { return this.#bytes.subarray(0, this.#length); }

  #room(count) {
    const wanted = this.#length + count;
    if (wanted > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(wanted, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    const at = this.#length;
    this.#length = wanted;
    return at;
  }

  byte(value) {
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  word(value) {
    const at = this.#room(4);
    this.#view.setUint32(at, value, true);
  }

  #long(value) {
    const at = this.#room(8);
    this.#view.setBigUint64(at, value, true);
  }

  #double(value) {
    const at = this.#room(8);
    this.#view.setFloat64(at, value, true);
  }

  #raw(bytes) {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** As many bytes as places need. */
  #place(index, count) {
    if (count <= 0xff) return this.byte(index);
    if (count > 0xffff) return this.word(index);
    const at = this.#room(2);
    this.#view.setUint16(at, index, true);
    return undefined;
  }

  #text(text) {
    const known = this.#texts.get(text);
    if (known !== undefined) {
      this.word(T.KNOWN_TEXT);
      this.#place(known, this.#texts.size);
      return;
    }
    this.#texts.set(text, this.#texts.size);
    const { length } = text;
    let isNarrow = true;
    for (let i = 0; i < length && isNarrow; i++) isNarrow = text.charCodeAt(i) < 256;
    this.word(isNarrow ? (length | T.NARROW) >>> 0 : length);
    let at = this.#room(isNarrow ? length : length * 2);
    for (let i = 0; i < length; i++, at += isNarrow ? 1 : 2) {
      if (isNarrow) this.#bytes[at] = text.charCodeAt(i);
      else this.#view.setUint16(at, text.charCodeAt(i), true);
    }
  }

  #textOrNot(text) {
    this.word(text === undefined ? 1 : 0);
    if (text !== undefined) this.#text(text);
  }

  value(value) {
    switch (typeof value) {
      case 'undefined': return this.byte(T.UNDEFINED);
      case 'boolean': return this.byte(value ? T.TRUE : T.FALSE);
      case 'number': return this.#number(value);
      case 'bigint': return this.#bigint(T.BIGINT, value);
      case 'string': return this.#string(value);
      case 'object': return value === null ? this.byte(T.NULL) : this.#object(value);
      default: throw refuse(value);
    }
  }

  #number(value) {
    if (value === 0 && !Object.is(value, -0)) return this.byte(T.ZERO);
    if (value === 1) return this.byte(T.ONE);
    if ((value | 0) === value && !Object.is(value, -0)) {
      this.byte(T.INT);
      return this.word(value);
    }
    this.byte(T.DOUBLE);
    return this.#double(value);
  }

  #string(value) {
    if (value === '') return this.byte(T.EMPTY_STRING);
    this.byte(T.STRING);
    return this.#text(value);
  }

  #bigint(tag, value) {
    this.byte(tag);
    this.byte(value < 0n ? 1 : 0);
    const digits = [];
    for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n) digits.push(rest & 0xffffffffffffffffn);
    this.word(digits.length);
    for (const digit of digits) this.#long(digit);
  }

  #keep(value) { this.#objects.set(value, this.#objects.size); }

  #object(value) {
    const known = this.#objects.get(value);
    if (known !== undefined) {
      this.byte(T.REFERENCE);
      this.#place(known, this.#objects.size);
      return;
    }
    // The buffer of a view comes before the view.
    if (ArrayBuffer.isView(value)) return this.#viewOf(value);
    this.#keep(value);
    if (!this.#special(value)) {
      if (Array.isArray(value)) this.#array(value);
      else {
        this.byte(T.OBJECT);
        this.#members(value, Object.keys(value));
      }
    }
    return undefined;
  }

  #members(value, keys) {
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue;
      const member = value[key];
      this.#text(key);
      this.value(member);
    }
    this.word(T.END);
  }

  #array(value) {
    this.byte(T.ARRAY);
    this.word(value.length);
    const named = [];
    for (const key of Object.keys(value)) {
      const index = Number(key);
      if (!(index < value.length) || `${index >>> 0}` !== key) {
        named.push(key);
        continue;
      }
      this.word(index);
      this.value(value[key]);
    }
    if (named.length === 0) return this.word(T.END);
    this.word(T.NAMED);
    return this.#members(value, named);
  }

  #special(value) {
    const { DOMException } = require('web/dom_exception');
    if (is(bufferLength, value)) this.#buffer(value);
    else if (is(mapSize, value)) this.#map(value);
    else if (is(setSize, value)) this.#set(value);
    else if (is(Date.prototype.getTime, value)) this.#tagged(T.DATE, apply(Date.prototype.getTime, value, []));
    else if (value instanceof DOMException) this.#exception(value);
    else if (Error.isError(value)) this.#error(value);
    else if (Object.prototype.toString.call(value) === '[object RegExp]' && is(regExpFlags, value)) this.#regExp(value);
    else return this.#boxed(value);
    return true;
  }

  #tagged(tag, number) {
    this.byte(tag);
    this.#double(number);
  }

  #boxed(value) {
    if (is(Number.prototype.valueOf, value)) this.#tagged(T.NUMBER_OBJECT, apply(Number.prototype.valueOf, value, []));
    else if (is(Boolean.prototype.valueOf, value)) this.byte(apply(Boolean.prototype.valueOf, value, []) ? T.TRUE_OBJECT : T.FALSE_OBJECT);
    else if (is(BigInt.prototype.valueOf, value)) this.#bigint(T.BIGINT_OBJECT, apply(BigInt.prototype.valueOf, value, []));
    else if (is(String.prototype.valueOf, value)) this.#boxedText(apply(String.prototype.valueOf, value, []));
    else if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef || value instanceof Promise || is(Symbol.prototype.valueOf, value)) throw refuse(value);
    else return false;
    return true;
  }

  #boxedText(text) {
    this.byte(text === '' ? T.EMPTY_STRING_OBJECT : T.STRING_OBJECT);
    if (text !== '') this.#text(text);
  }

  #regExp({ source, flags }) {
    this.byte(T.REGEXP);
    this.#text(source);
    this.#text(flags);
  }

  #exception({ message, name }) {
    this.byte(T.DOM_EXCEPTION);
    this.#text(message);
    this.#text(name);
  }

  #error(value) {
    this.byte(T.ERROR);
    this.byte(Math.max(T.ERRORS.indexOf(`${value.name}`), 0));
    this.#textOrNot(Object.hasOwn(value, 'message') ? `${value.message}` : undefined);
    this.word(0);
    this.word(0);
    this.#textOrNot(undefined);
    this.#textOrNot(typeof value.stack === 'string' ? value.stack : undefined);
  }

  #map(value) {
    this.byte(T.MAP);
    for (const [key, member] of [...apply(Map.prototype.entries, value, [])]) {
      this.value(key);
      this.value(member);
    }
    this.byte(T.MAP_END);
    this.#members(value, Object.keys(value));
  }

  #set(value) {
    this.byte(T.SET);
    for (const member of [...apply(Set.prototype.values, value, [])]) this.value(member);
    this.byte(T.SET_END);
    this.#members(value, Object.keys(value));
  }

  #buffer(buffer) {
    if (apply(isDetached, buffer, [])) throw refuse(buffer);
    this.byte(buffer.resizable ? T.RESIZABLE_BUFFER : T.BUFFER);
    this.#long(BigInt(buffer.byteLength));
    if (buffer.resizable) this.#long(BigInt(buffer.maxByteLength));
    this.#raw(new Uint8Array(buffer));
  }

  /** Of a part of a buffer, the part alone: a small Buffer lies in a large one. */
  #viewOf(view) {
    const { byteLength } = view;
    const isPart = byteLength < view.buffer.byteLength;
    const buffer = isPart ? new Uint8Array(view.buffer, view.byteOffset, byteLength).slice().buffer : view.buffer;
    this.byte(T.VIEW);
    this.byte(T.VIEWS.indexOf(apply(viewTag, view, []) ?? 'DataView'));
    this.#long(BigInt(isPart ? 0 : view.byteOffset));
    this.#long(BigInt(byteLength));
    this.value(buffer);
    this.#keep(view);
  }
}

function write(value) {
  const writer = new Writer();
  writer.word(T.RELEASE);
  writer.value(value);
  return writer.written;
}

module.exports = { write };
