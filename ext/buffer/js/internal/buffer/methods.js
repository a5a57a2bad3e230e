// Methods of `Buffer.prototype`. In: Buffer. Out: its prototype has Node's methods. Absent: numbers
// and search, which are separate files.
'use strict';

const { codes } = require('internal/errors');
const { validateNumber, validateString } = require('internal/validators');
const { FastBuffer, encodingOf, encodings, fromString, isBytes, LOOP_MAX, utf8 } = require('internal/buffer');

const binding = internalBinding('buffer');
const { copyWithin, fill: fillBytes, set: setBytes } = Uint8Array.prototype;
const { trunc } = Math;
const BINDING_ENCODINGS = ['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8'];
const SWAP_MIN = { 2: 128, 4: 192, 8: 192 };

/** Up to this number of bytes a loop copies faster than `set`, which needs a view. */
const COPY_LOOP_MAX = 64;

/** -1, 0 or 1: the order of two ranges of bytes. */
function order(left, right, leftStart, leftEnd, rightStart, rightEnd) {
  const count = Math.min(leftEnd - leftStart, rightEnd - rightStart);
  if (count > LOOP_MAX) return binding.compare(left, right, leftStart, leftEnd, rightStart, rightEnd);
  for (let i = 0; i < count; i++) {
    const difference = left[leftStart + i] - right[rightStart + i];
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  const rest = leftEnd - leftStart - (rightEnd - rightStart);
  return rest === 0 ? 0 : rest < 0 ? -1 : 1;
}

function checkOffset(value, name, max) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!Number.isInteger(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', value);
  if (value < 0 || value > max) throw new codes.ERR_OUT_OF_RANGE(name, `>= 0 && <= ${max}`, value);
}

// Converts to an integer.
function toInteger(value, fallback) {
  value = +value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? trunc(value) : fallback;
}

const methods = {
  copy(target, targetStart, sourceStart, sourceEnd) {
    if (!isBytes(this)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], this);
    if (!ArrayBuffer.isView(target)) throw new codes.ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
    if (!isBytes(target)) target = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    targetStart = targetStart === undefined ? 0 : toInteger(targetStart, 0);
    if (targetStart < 0) throw new codes.ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
    sourceStart = sourceStart === undefined ? 0 : toInteger(sourceStart, 0);
    if (sourceStart < 0 || sourceStart > this.length) {
      throw new codes.ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${this.length}`, sourceStart);
    }
    sourceEnd = sourceEnd === undefined ? this.length : toInteger(sourceEnd, 0);
    if (sourceEnd < 0) throw new codes.ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
    if (targetStart >= target.length || sourceStart >= sourceEnd) return 0;
    const count = Math.min(sourceEnd - sourceStart, target.length - targetStart, this.length - sourceStart);
    if (count <= 0) return 0;
    if (target === this) {
      copyWithin.call(this, targetStart, sourceStart, sourceStart + count);
    } else if (count <= COPY_LOOP_MAX && this.buffer !== target.buffer) {
      for (let i = 0; i < count; i++) target[targetStart + i] = this[sourceStart + i];
    } else {
      const part = sourceStart === 0 && count === this.length ?
        this : new Uint8Array(this.buffer, this.byteOffset + sourceStart, count);
      setBytes.call(target, part, targetStart);
    }
    return count;
  },
  toString(encoding, start, end) {
    const { length } = this;
    if (arguments.length === 0) return text(utf8, this, 0, length);
    if (start <= 0) start = 0;
    else if (start >= length) return '';
    else start = trunc(start) || 0;
    if (end === undefined || end > length) end = length;
    else end = trunc(end) || 0;
    if (end <= start) return '';
    if (encoding === undefined) return text(utf8, this, start, end);
    const ops = encodingOf(encoding);
    if (ops === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    return text(ops, this, start, end);
  },
  equals(other) {
    if (!isBytes(other)) throw new codes.ERR_INVALID_ARG_TYPE('otherBuffer', ['Buffer', 'Uint8Array'], other);
    if (this === other) return true;
    if (this.byteLength !== other.byteLength) return false;
    return order(this, other, 0, this.byteLength, 0, this.byteLength) === 0;
  },
  inspect: inspectBuffer,
  compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
    if (!isBytes(target)) throw new codes.ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
    if (targetStart === undefined) targetStart = 0;
    else checkOffset(targetStart, 'targetStart', Number.MAX_SAFE_INTEGER);
    if (targetEnd === undefined) targetEnd = target.length;
    else checkOffset(targetEnd, 'targetEnd', target.length);
    if (sourceStart === undefined) sourceStart = 0;
    else checkOffset(sourceStart, 'sourceStart', Number.MAX_SAFE_INTEGER);
    if (sourceEnd === undefined) sourceEnd = this.length;
    else checkOffset(sourceEnd, 'sourceEnd', this.length);
    if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
    if (targetStart >= targetEnd) return 1;
    return order(this, target, sourceStart, sourceEnd, targetStart, targetEnd);
  },
  fill(value, offset, end, encoding) {
    return fillWith(this, value, offset, end, encoding);
  },
  write(string, offset, length, encoding) {
    if (offset === undefined) return write(utf8, this, string, 0, this.length);
    if (length === undefined && typeof offset === 'string') {
      encoding = offset;
      length = this.length;
      offset = 0;
    } else {
      checkOffset(offset, 'offset', this.length);
      const room = this.length - offset;
      if (length === undefined) {
        length = room;
      } else if (typeof length === 'string') {
        encoding = length;
        length = room;
      } else {
        checkOffset(length, 'length', this.length);
        if (length > room) length = room;
      }
    }
    if (!encoding) return write(utf8, this, string, offset, length);
    const ops = encodingOf(encoding);
    if (ops === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    return write(ops, this, string, offset, length);
  },
  toJSON() {
    if (!(this.length > 0)) return { type: 'Buffer', data: [] };
    const data = new Array(this.length);
    for (let i = 0; i < this.length; i++) data[i] = this[i];
    return { type: 'Buffer', data };
  },
  subarray(start, end) {
    const { length } = this;
    start = clamp(start, length);
    end = end !== undefined ? clamp(end, length) : length;
    return new FastBuffer(this.buffer, this.byteOffset + start, end > start ? end - start : 0);
  },
  slice(start, end) {
    return this.subarray(start, end);
  },
  swap16() {
    return swap(this, 2);
  },
  swap32() {
    return swap(this, 4);
  },
  swap64() {
    return swap(this, 8);
  },
};

function text(ops, buffer, start, end) {
  return ops.slice(buffer, start, end);
}

function write(ops, buffer, string, offset, room) {
  if (typeof string !== 'string') throw notAString();
  return ops.write(buffer, string, offset, room);
}

function notAString() {
  return Object.assign(new TypeError('argument must be a string'), { code: 'ERR_INVALID_ARG_TYPE' });
}

function clamp(index, length) {
  index = trunc(index);
  if (index === 0 || index !== index) return 0;
  if (index < 0) {
    index += length;
    return index > 0 ? index : 0;
  }
  return index < length ? index : length;
}

function swap(buffer, bytes) {
  const { length } = buffer;
  if (length % bytes !== 0) throw new codes.ERR_INVALID_BUFFER_SIZE(`${bytes * 8}-bits`);
  if (length >= SWAP_MIN[bytes]) {
    binding.swap(buffer, bytes);
    return buffer;
  }
  for (let first = 0; first < length; first += bytes) {
    for (let i = first, j = first + bytes - 1; i < j; i++, j--) {
      const byte = buffer[i];
      buffer[i] = buffer[j];
      buffer[j] = byte;
    }
  }
  return buffer;
}

function fillWith(buffer, value, offset, end, encoding) {
  let patternOps;
  if (typeof value === 'string') {
    if (offset === undefined || typeof offset === 'string') {
      encoding = offset;
      offset = undefined;
    } else if (typeof end === 'string') {
      encoding = end;
      end = undefined;
    }
    const ops = fillEncoding(encoding);
    if (value.length === 0) value = 0;
    else if (value.length === 1 && (ops === utf8 ? value.charCodeAt(0) < 128 : ops.name === 'latin1')) value = value.charCodeAt(0) & 255;
    else patternOps = ops;
  }
  if (offset === undefined) {
    offset = 0;
    end = buffer.length;
  } else {
    validateNumber(offset, 'offset', 0);
    if (end === undefined) end = buffer.length;
    else validateNumber(end, 'end', 0, buffer.length);
    if (offset >= end) return buffer;
  }
  if (patternOps !== undefined) value = patternOf(value, patternOps);
  // A program may have redefined `length`.
  if (end > buffer.byteLength) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS();
  if (typeof value === 'boolean') value = +value;
  if (typeof value === 'object' && value !== null && ArrayBuffer.isView(value)) {
    repeat(buffer, isBytes(value) ? value : new Uint8Array(value.buffer, value.byteOffset, value.byteLength), offset, end);
  } else {
    fillBytes.call(buffer, value & 255, offset, end);
  }
  return buffer;
}

/** The bytes of a fill pattern, at least one. */
function patternOf(text, ops) {
  const bytes = fromString(text, ops);
  if (bytes.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', text);
  return bytes;
}

function fillEncoding(encoding) {
  if (encoding === undefined || encoding === null) return utf8;
  validateString(encoding, 'encoding');
  const ops = encoding === '' ? utf8 : encodingOf(encoding);
  if (ops === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return ops;
}

// Fills by doubling: what was written is copied after itself.
function repeat(buffer, pattern, offset, end) {
  if (pattern.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', pattern);
  const room = end - offset;
  if (pattern.length >= room) {
    setBytes.call(buffer, pattern.subarray(0, room), offset);
    return;
  }
  setBytes.call(buffer, pattern, offset);
  for (let done = pattern.length; done < room; done *= 2) {
    copyWithin.call(buffer, offset + done, offset, offset + Math.min(done, room - done));
  }
}

function inspectBuffer(depth, options) {
  const { inspect } = require('internal/util/inspect');
  const max = require('buffer').INSPECT_MAX_BYTES;
  const shownBytes = Math.min(max, this.length);
  const rest = this.length - max;
  let contents = shownBytes > 0 ? encodings.hex.slice(this, 0, shownBytes).replace(/(.{2})/g, '$1 ').trim() : '';
  if (rest > 0) contents += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
  if (options) {
    const own = {};
    let hasOwn = false;
    for (const key of Object.getOwnPropertyNames(this)) {
      if (/^(0|[1-9][0-9]*)$/.test(key)) continue;
      own[key] = this[key];
      hasOwn = true;
    }
    if (hasOwn) {
      if (this.length !== 0) contents += ', ';
      const text = inspect(Object.assign({ __proto__: null }, own), { ...options, breakLength: Infinity, compact: true });
      // Without the prototype's name and the braces.
      contents += text.slice(text.indexOf('{') + 2, -2);
    }
  }
  return `<${this.constructor?.name || 'Buffer'} ${contents}>`;
}

// `utf8Slice`, `latin1Write` and so on, which Node implements in C++: they check offsets, and
// accept any view as `this`.
function addBindingMethods(prototype) {
  const checkRange = (buffer, start, end) => {
    const { length } = buffer;
    start = start === undefined ? 0 : toInteger(start, 0) || 0;
    end = end === undefined ? length : toInteger(end, 0) || 0;
    if (start < 0 || end < 0) throw outOfRange();
    if (end < start) end = start;
    if (end > length) throw outOfRange();
    return [start, end];
  };
  for (const name of BINDING_ENCODINGS) {
    const ops = encodings[name];
    prototype[`${name}Slice`] = { [`${name}Slice`](start, end) {
      if (!ArrayBuffer.isView(this)) throw notABuffer();
      [start, end] = checkRange(this, start, end);
      return ops.slice(this, start, end);
    } }[`${name}Slice`];
  }
  const isLenient = { hex: true, ucs2: true, base64: true, base64url: true };
  for (const name of BINDING_ENCODINGS) {
    const ops = encodings[name];
    prototype[`${name}Write`] = { [`${name}Write`](string, offset, length) {
      if (!ArrayBuffer.isView(this)) throw notABuffer();
      if (typeof string !== 'string') throw notAString();
      offset = offset === undefined ? 0 : toInteger(offset, 0) || 0;
      if (offset < 0 && isLenient[name]) throw outOfRange();
      if (offset < 0 || offset > this.length) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
      const room = this.length - offset;
      length = length === undefined ? room : toInteger(length, 0) || 0;
      if (length < 0 && isLenient[name]) throw outOfRange();
      if (length < 0 || length > room) {
        if (!isLenient[name]) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
        length = room;
      }
      return ops.write(this, string, offset, length);
    } }[`${name}Write`];
  }
}

function outOfRange() {
  return Object.assign(new RangeError('Index out of range'), { code: 'ERR_OUT_OF_RANGE' });
}

function notABuffer() {
  return Object.assign(new TypeError('argument must be a buffer'), { code: 'ERR_INVALID_ARG_TYPE' });
}

function addMethods(Buffer) {
  const { prototype } = Buffer;
  require('internal/buffer/numbers').addNumbers(prototype);
  addBindingMethods(prototype);
  for (const [name, source] of [['parent', 'buffer'], ['offset', 'byteOffset']]) {
    Object.defineProperty(prototype, name, {
      enumerable: true,
      get() { return this instanceof Buffer ? this[source] : undefined; },
    });
  }
  for (const name of Object.keys(methods)) prototype[name] = methods[name];
  require('internal/buffer/search').addSearch(prototype);
  prototype.toLocaleString = prototype.toString;
  prototype[Symbol.for('nodejs.util.inspect.custom')] = inspectBuffer;
  return { fillWith, order };
}

module.exports = { addMethods };
