// `v8.Serializer`: values as bytes, in V8's form. In: values. Out: bytes that V8 reads as well.
// What it does not know it asks its own methods for, which programs may replace: _writeHostObject,
// _getDataCloneError, _getSharedArrayBufferId. Absent: WebAssembly's modules.
'use strict';

const { Writer } = require('internal/serdes/writer');
const types = require('internal/util/types');
const {
  ERRORS, ERROR_CAUSE, ERROR_END, ERROR_MESSAGE, ERROR_STACK, FLAGS, LENGTH_TRACKING, OF_RESIZABLE, TAGS, VERSION, VIEWS,
} = require('internal/serdes/tags');
const { namesUnlessItems } = require('internal/messaging/transfer_items');
const { kHost } = require('internal/messaging/symbols');
const { followsBuffer, isEnvironment, isForeign, nameOf } = require('internal/serdes/refusals');

const { getPrototypeOf, hasOwn } = Object;
const { apply } = Reflect;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const tagOfView = getter(TypedArrayPrototype, Symbol.toStringTag);
const dateValue = Date.prototype.getTime;
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const maxLength = getter(ArrayBuffer.prototype, 'maxByteLength');

function isFull(array, length) {
  for (let i = 0; i < length; i++) if (!(i in array)) return false;
  return true;
}

/** The names of items come first, in order. */
function startsWithItems(names, length) {
  let items = 0;
  while (items < length && names[items] === String(items)) items++;
  return items === length;
}

class Serializer {
  #writer = new Writer();
  #ids = new Map();
  #transferred = new Map();
  #areViewsForeign = false;

  writeHeader() {
    this.#writer.byte(TAGS.VERSION);
    this.#writer.byte(VERSION);
  }

  writeValue(value) {
    this.#write(value);
    return true;
  }

  releaseBuffer() {
    return this.#writer.release();
  }

  transferArrayBuffer(id, buffer) {
    this.#transferred.set(buffer, id >>> 0);
  }

  writeUint32(value) {
    this.#writer.varint(value >>> 0);
  }

  writeUint64(high, low) {
    this.#writer.varint64((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
  }

  writeDouble(value) {
    this.#writer.double(+value);
  }

  writeRawBytes(source) {
    if (!ArrayBuffer.isView(source) && !types.isAnyArrayBuffer(source)) {
      throw require('internal/serdes/failures').wrongType('source must be a TypedArray or a DataView');
    }
    const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
    this.#writer.raw(bytes);
  }

  _setTreatArrayBufferViewsAsHostObjects(isWanted) {
    this.#areViewsForeign = Boolean(isWanted);
  }

  #refuse(value) {
    const make = this._getDataCloneError;
    const message = `${nameOf(value)} could not be cloned.`;
    throw typeof make === 'function' ? apply(make, this, [message]) : new Error(message);
  }

  #write(value) {
    const writer = this.#writer;
    switch (typeof value) {
      case 'undefined': return writer.byte(TAGS.UNDEFINED);
      case 'boolean': return writer.byte(value ? TAGS.TRUE : TAGS.FALSE);
      case 'number': return this.#number(value);
      case 'string': return writer.text(value);
      case 'bigint':
        writer.byte(TAGS.BIGINT);
        return this.#bigint(value);
      case 'object': return value === null ? writer.byte(TAGS.NULL) : this.#object(value);
      default: return this.#refuse(value);
    }
  }

  #number(value) {
    if ((value | 0) !== value || Object.is(value, -0)) {
      this.#writer.byte(TAGS.DOUBLE);
      this.#writer.double(value);
    } else {
      this.#writer.byte(TAGS.INT32);
      this.#writer.varint(((value << 1) ^ (value >> 31)) >>> 0);
    }
  }

  /** The sign and twice the count of bytes, then words of eight bytes. */
  #bigint(value) {
    let rest = value < 0n ? -value : value;
    const words = [];
    for (; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
    this.#writer.varint(words.length * 16 + (value < 0n ? 1 : 0));
    for (const word of words) this.#writer.uint64(word);
  }

  #object(value) {
    const kind = types.kindOfAny(value);
    // A view is written behind its buffer.
    const isView = kind === 'typedarray' || kind === 'dataview';
    if (isView && !this.#areViewsForeign && !this.#ids.has(value)) this.#object(value.buffer);
    const known = this.#ids.get(value);
    if (known !== undefined) {
      this.#writer.byte(TAGS.REFERENCE);
      this.#writer.varint(known);
      return;
    }
    this.#ids.set(value, this.#ids.size);
    if (isView) this.#view(value);
    else this.#ofKind(value, kind);
  }

  #ofKind(value, kind) {
    switch (kind) {
      case 'other':
        if (Array.isArray(value)) return this.#array(value);
        if (isForeign(value)) return this.#refuse(value);
        if (value[kHost]) return this.#foreign(value);
        return this.#plain(value);
      case 'date':
        this.#writer.byte(TAGS.DATE);
        return this.#writer.double(apply(dateValue, value, []));
      case 'regexp': return this.#regExp(value);
      case 'map': return this.#map(value);
      case 'set': return this.#set(value);
      case 'buffer': return this.#buffer(value);
      case 'error': return this.#error(value);
      case 'number': case 'string': case 'boolean': case 'bigint': return this.#boxed(value, kind);
      default: return isEnvironment(value) ? this.#plain(value) : this.#refuse(value);
    }
  }

  #plain(value) {
    this.#writer.byte(TAGS.OBJECT);
    const count = this.#members(value, Object.keys(value));
    this.#writer.byte(TAGS.OBJECT_END);
    this.#writer.varint(count);
  }

  /** Keys and values; what a getter took away meanwhile is left out. */
  #members(value, keys) {
    let count = 0;
    for (const key of keys) {
      if (count > 0 && !hasOwn(value, key)) continue;
      const member = value[key];
      this.#key(key);
      this.#write(member);
      count++;
    }
    return count;
  }

  #key(key) {
    const first = key.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) {
      const number = Number(key);
      if (number < 2 ** 32 - 1 && String(number >>> 0) === key) return this.#number(number);
    }
    return this.#writer.text(key);
  }

  #array(value) {
    const { length } = value;
    let names = namesUnlessItems(value, length);
    if (names === undefined && !isFull(value, length)) names = Object.keys(value);
    const isDense = names === undefined || startsWithItems(names, length);
    const writer = this.#writer;
    writer.byte(isDense ? TAGS.DENSE : TAGS.SPARSE);
    writer.varint(length);
    if (isDense) {
      for (let i = 0; i < length; i++) {
        if (i < value.length && i in value) this.#write(value[i]);
        else writer.byte(TAGS.HOLE);
      }
    }
    const count = names === undefined ? 0 : this.#members(value, isDense ? names.slice(length) : names);
    writer.byte(isDense ? TAGS.DENSE_END : TAGS.SPARSE_END);
    writer.varint(count);
    writer.varint(length);
  }

  #regExp(value) {
    this.#writer.byte(TAGS.REGEXP);
    this.#writer.text(value.source);
    let bits = 0;
    for (const flag of value.flags) bits |= 1 << FLAGS.indexOf(flag);
    this.#writer.varint(bits);
  }

  #map(value) {
    const entries = [...apply(Map.prototype.entries, value, [])];
    this.#writer.byte(TAGS.MAP);
    for (const [key, member] of entries) {
      this.#write(key);
      this.#write(member);
    }
    this.#writer.byte(TAGS.MAP_END);
    this.#writer.varint(entries.length * 2);
  }

  #set(value) {
    const members = [...apply(Set.prototype.values, value, [])];
    this.#writer.byte(TAGS.SET);
    for (const member of members) this.#write(member);
    this.#writer.byte(TAGS.SET_END);
    this.#writer.varint(members.length);
  }

  #boxed(value, kind) {
    const writer = this.#writer;
    switch (kind) {
      case 'boolean': return writer.byte(apply(Boolean.prototype.valueOf, value, []) ? TAGS.TRUE_OBJECT : TAGS.FALSE_OBJECT);
      case 'number':
        writer.byte(TAGS.NUMBER_OBJECT);
        return writer.double(apply(Number.prototype.valueOf, value, []));
      case 'bigint':
        writer.byte(TAGS.BIGINT_OBJECT);
        return this.#bigint(apply(BigInt.prototype.valueOf, value, []));
      default:
        writer.byte(TAGS.STRING_OBJECT);
        return writer.text(apply(String.prototype.valueOf, value, []));
    }
  }

  #buffer(value) {
    const writer = this.#writer;
    if (types.isSharedArrayBuffer(value)) {
      const give = this._getSharedArrayBufferId;
      if (typeof give !== 'function') return this.#refuse(value);
      writer.byte(TAGS.SHARED_BUFFER);
      return writer.varint(apply(give, this, [value]) >>> 0);
    }
    const id = this.#transferred.get(value);
    if (id !== undefined) {
      writer.byte(TAGS.TRANSFERRED_BUFFER);
      return writer.varint(id);
    }
    if (apply(isDetached, value, [])) {
      const make = this._getDataCloneError;
      const message = 'An ArrayBuffer is detached and could not be cloned.';
      throw typeof make === 'function' ? apply(make, this, [message]) : new Error(message);
    }
    const isGrowing = apply(isResizable, value, []);
    writer.byte(isGrowing ? TAGS.RESIZABLE_BUFFER : TAGS.BUFFER);
    writer.varint(value.byteLength);
    if (isGrowing) writer.varint(apply(maxLength, value, []));
    return writer.raw(new Uint8Array(value));
  }

  #view(value) {
    if (this.#areViewsForeign) return this.#foreign(value);
    const name = apply(tagOfView, value, []) ?? 'DataView';
    const writer = this.#writer;
    writer.byte(TAGS.VIEW);
    writer.byte(VIEWS.find((known) => known[0] === name)[1].charCodeAt(0));
    const { buffer } = value;
    const isOfResizable = !types.isSharedArrayBuffer(buffer) && apply(isResizable, buffer, []);
    const isTracking = isOfResizable && followsBuffer(value);
    writer.varint(value.byteOffset);
    writer.varint(isTracking ? 0 : value.byteLength);
    return writer.varint((isTracking ? LENGTH_TRACKING : 0) | (isOfResizable ? OF_RESIZABLE : 0));
  }

  #foreign(value) {
    const write = this._writeHostObject;
    if (typeof write !== 'function') return this.#refuse(value);
    this.#writer.byte(TAGS.HOST);
    return apply(write, this, [value]);
  }

  #error(value) {
    const writer = this.#writer;
    const own = (key) => Object.getOwnPropertyDescriptor(value, key);
    const message = own('message');
    const cause = own('cause');
    const { stack } = value;
    writer.byte(TAGS.ERROR);
    const letter = ERRORS[`${value.name}`];
    if (letter !== undefined) writer.byte(letter.charCodeAt(0));
    if (message !== undefined && 'value' in message) {
      writer.byte(ERROR_MESSAGE);
      writer.text(`${message.value}`);
    }
    if (typeof stack === 'string') {
      writer.byte(ERROR_STACK);
      writer.text(require('internal/stack/engine_errors').v8Stack(value));
    }
    if (cause !== undefined && 'value' in cause) {
      writer.byte(ERROR_CAUSE);
      this.#write(cause.value);
    }
    writer.byte(ERROR_END);
  }
}

module.exports = { Serializer };
