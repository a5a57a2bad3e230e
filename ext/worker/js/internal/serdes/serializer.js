// `v8.Serializer`: values to bytes in V8's format. In: values. Out: bytes that V8 can read.
// Programs may override the methods for other objects: _writeHostObject, _getDataCloneError,
// _getSharedArrayBufferId. Absent: WebAssembly modules.
'use strict';

const { Writer } = require('internal/serdes/writer');
const types = require('internal/util/types');
const {
  ERRORS, ERROR_CAUSE, ERROR_END, ERROR_MESSAGE, ERROR_STACK, FLAGS, LENGTH_TRACKING, BACKED_BY_RESIZABLE, TAGS, VERSION, VIEWS,
} = require('internal/serdes/tags');
const { keysUnlessDense } = require('internal/messaging/array_keys');
const { kHostObject } = require('internal/messaging/symbols');
const { isLengthTracking, isProcessEnv, isEngineObject, noSideEffectsToString } = require('internal/serdes/uncloneable');

const { getPrototypeOf, hasOwn } = Object;
const { apply } = Reflect;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const tagOfView = getter(TypedArrayPrototype, Symbol.toStringTag);
const dateValue = Date.prototype.getTime;
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const maxLength = getter(ArrayBuffer.prototype, 'maxByteLength');

function hasNoHoles(array, length) {
  for (let i = 0; i < length; i++) if (!(i in array)) return false;
  return true;
}

/** Whether the names begin with all indexes, in order. */
function startsWithIndexes(names, length) {
  let index = 0;
  while (index < length && names[index] === String(index)) index++;
  return index === length;
}

class Serializer {
  #writer = new Writer();
  #ids = new Map();
  #transferred = new Map();
  #treatViewsAsHostObjects = false;

  writeHeader() {
    this.#writer.byte(TAGS.VERSION);
    this.#writer.byte(VERSION);
  }

  writeValue(value) {
    this.#writeObject(value);
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
      throw require('internal/serdes/errors').invalidArgType('source must be a TypedArray or a DataView');
    }
    const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
    this.#writer.raw(bytes);
  }

  _setTreatArrayBufferViewsAsHostObjects(mode) {
    this.#treatViewsAsHostObjects = Boolean(mode);
  }

  #throwDataCloneError(value) {
    const make = this._getDataCloneError;
    const message = `${noSideEffectsToString(value)} could not be cloned.`;
    throw typeof make === 'function' ? apply(make, this, [message]) : new Error(message);
  }

  #writeObject(value) {
    const writer = this.#writer;
    switch (typeof value) {
      case 'undefined': return writer.byte(TAGS.UNDEFINED);
      case 'boolean': return writer.byte(value ? TAGS.TRUE : TAGS.FALSE);
      case 'number': return this.#writeNumber(value);
      case 'string': return writer.string(value);
      case 'bigint':
        writer.byte(TAGS.BIGINT);
        return this.#writeBigInt(value);
      case 'object': return value === null ? writer.byte(TAGS.NULL) : this.#writeReceiver(value);
      default: return this.#throwDataCloneError(value);
    }
  }

  #writeNumber(value) {
    if ((value | 0) !== value || Object.is(value, -0)) {
      this.#writer.byte(TAGS.DOUBLE);
      this.#writer.double(value);
    } else {
      this.#writer.byte(TAGS.INT32);
      this.#writer.varint(((value << 1) ^ (value >> 31)) >>> 0);
    }
  }

  /** The byte count shifted left by one, plus the sign; then 64-bit digits. */
  #writeBigInt(value) {
    let rest = value < 0n ? -value : value;
    const words = [];
    for (; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
    this.#writer.varint(words.length * 16 + (value < 0n ? 1 : 0));
    for (const word of words) this.#writer.uint64(word);
  }

  #writeReceiver(value) {
    const kind = types.kindOfAny(value);
    // A view follows its buffer.
    const isView = kind === 'typedarray' || kind === 'dataview';
    if (isView && !this.#treatViewsAsHostObjects && !this.#ids.has(value)) this.#writeReceiver(value.buffer);
    const id = this.#ids.get(value);
    if (id !== undefined) {
      this.#writer.byte(TAGS.REFERENCE);
      this.#writer.varint(id);
      return;
    }
    this.#ids.set(value, this.#ids.size);
    if (isView) this.#writeView(value);
    else this.#writeBuiltin(value, kind);
  }

  #writeBuiltin(value, kind) {
    switch (kind) {
      case 'other':
        if (Array.isArray(value)) return this.#writeJSArray(value);
        if (isEngineObject(value)) return this.#throwDataCloneError(value);
        if (value[kHostObject]) return this.#writeHostObject(value);
        return this.#writeJSObject(value);
      case 'date':
        this.#writer.byte(TAGS.DATE);
        return this.#writer.double(apply(dateValue, value, []));
      case 'regexp': return this.#writeRegExp(value);
      case 'map': return this.#writeMap(value);
      case 'set': return this.#writeSet(value);
      case 'buffer': return this.#writeArrayBuffer(value);
      case 'error': return this.#writeError(value);
      case 'number': case 'string': case 'boolean': case 'bigint': return this.#writePrimitiveWrapper(value, kind);
      default: return isProcessEnv(value) ? this.#writeJSObject(value) : this.#throwDataCloneError(value);
    }
  }

  #writeJSObject(value) {
    this.#writer.byte(TAGS.OBJECT);
    const count = this.#writeProperties(value, Object.keys(value));
    this.#writer.byte(TAGS.OBJECT_END);
    this.#writer.varint(count);
  }

  /** Keys and values. A property that a getter has deleted meanwhile is omitted. */
  #writeProperties(value, keys) {
    let count = 0;
    for (const key of keys) {
      if (count > 0 && !hasOwn(value, key)) continue;
      const member = value[key];
      this.#writeKey(key);
      this.#writeObject(member);
      count++;
    }
    return count;
  }

  #writeKey(key) {
    const first = key.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) {
      const number = Number(key);
      if (number < 2 ** 32 - 1 && String(number >>> 0) === key) return this.#writeNumber(number);
    }
    return this.#writer.string(key);
  }

  #writeJSArray(value) {
    const { length } = value;
    let names = keysUnlessDense(value, length);
    if (names === undefined && !hasNoHoles(value, length)) names = Object.keys(value);
    const isDense = names === undefined || startsWithIndexes(names, length);
    const writer = this.#writer;
    writer.byte(isDense ? TAGS.DENSE : TAGS.SPARSE);
    writer.varint(length);
    if (isDense) {
      for (let i = 0; i < length; i++) {
        if (i < value.length && i in value) this.#writeObject(value[i]);
        else writer.byte(TAGS.HOLE);
      }
    }
    const count = names === undefined ? 0 : this.#writeProperties(value, isDense ? names.slice(length) : names);
    writer.byte(isDense ? TAGS.DENSE_END : TAGS.SPARSE_END);
    writer.varint(count);
    writer.varint(length);
  }

  #writeRegExp(value) {
    this.#writer.byte(TAGS.REGEXP);
    this.#writer.string(value.source);
    let bits = 0;
    for (const flag of value.flags) bits |= 1 << FLAGS.indexOf(flag);
    this.#writer.varint(bits);
  }

  #writeMap(value) {
    const entries = [...apply(Map.prototype.entries, value, [])];
    this.#writer.byte(TAGS.MAP);
    for (const [key, member] of entries) {
      this.#writeObject(key);
      this.#writeObject(member);
    }
    this.#writer.byte(TAGS.MAP_END);
    this.#writer.varint(entries.length * 2);
  }

  #writeSet(value) {
    const members = [...apply(Set.prototype.values, value, [])];
    this.#writer.byte(TAGS.SET);
    for (const member of members) this.#writeObject(member);
    this.#writer.byte(TAGS.SET_END);
    this.#writer.varint(members.length);
  }

  #writePrimitiveWrapper(value, kind) {
    const writer = this.#writer;
    switch (kind) {
      case 'boolean': return writer.byte(apply(Boolean.prototype.valueOf, value, []) ? TAGS.TRUE_OBJECT : TAGS.FALSE_OBJECT);
      case 'number':
        writer.byte(TAGS.NUMBER_OBJECT);
        return writer.double(apply(Number.prototype.valueOf, value, []));
      case 'bigint':
        writer.byte(TAGS.BIGINT_OBJECT);
        return this.#writeBigInt(apply(BigInt.prototype.valueOf, value, []));
      default:
        writer.byte(TAGS.STRING_OBJECT);
        return writer.string(apply(String.prototype.valueOf, value, []));
    }
  }

  #writeArrayBuffer(value) {
    const writer = this.#writer;
    if (types.isSharedArrayBuffer(value)) {
      const getId = this._getSharedArrayBufferId;
      if (typeof getId !== 'function') return this.#throwDataCloneError(value);
      writer.byte(TAGS.SHARED_BUFFER);
      return writer.varint(apply(getId, this, [value]) >>> 0);
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

  #writeView(value) {
    if (this.#treatViewsAsHostObjects) return this.#writeHostObject(value);
    const name = apply(tagOfView, value, []) ?? 'DataView';
    const writer = this.#writer;
    writer.byte(TAGS.VIEW);
    writer.byte(VIEWS.find((viewType) => viewType[0] === name)[1].charCodeAt(0));
    const { buffer } = value;
    const isBackedByResizable = !types.isSharedArrayBuffer(buffer) && apply(isResizable, buffer, []);
    const isTracking = isBackedByResizable && isLengthTracking(value);
    writer.varint(value.byteOffset);
    writer.varint(isTracking ? 0 : value.byteLength);
    return writer.varint((isTracking ? LENGTH_TRACKING : 0) | (isBackedByResizable ? BACKED_BY_RESIZABLE : 0));
  }

  #writeHostObject(value) {
    const write = this._writeHostObject;
    if (typeof write !== 'function') return this.#throwDataCloneError(value);
    this.#writer.byte(TAGS.HOST);
    return apply(write, this, [value]);
  }

  #writeError(value) {
    const writer = this.#writer;
    const ownProperty = (key) => Object.getOwnPropertyDescriptor(value, key);
    const message = ownProperty('message');
    const cause = ownProperty('cause');
    const { stack } = value;
    writer.byte(TAGS.ERROR);
    const character = ERRORS[`${value.name}`];
    if (character !== undefined) writer.byte(character.charCodeAt(0));
    if (message !== undefined && 'value' in message) {
      writer.byte(ERROR_MESSAGE);
      writer.string(`${message.value}`);
    }
    if (typeof stack === 'string') {
      writer.byte(ERROR_STACK);
      writer.string(require('internal/stack/engine_errors').v8Stack(value));
    }
    if (cause !== undefined && 'value' in cause) {
      writer.byte(ERROR_CAUSE);
      this.#writeObject(cause.value);
    }
    writer.byte(ERROR_END);
  }
}

module.exports = { Serializer };
