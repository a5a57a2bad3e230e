// `node:buffer` in browsers: a Uint8Array with Node's methods. In: text, bytes, numbers. Out: the
// others. Absent: pools, transcoding.
'use strict';

const { codes } = require('internal/errors');

const kMaxLength = 2 ** 32;
const ENCODINGS = {
  'utf8': 'utf8', 'utf-8': 'utf8', 'hex': 'hex', 'base64': 'base64', 'base64url': 'base64url', 'ascii': 'ascii', 'latin1': 'latin1',
  'binary': 'latin1', 'ucs2': 'utf16le', 'ucs-2': 'utf16le', 'utf16le': 'utf16le', 'utf-16le': 'utf16le',
};

function encodingOf(encoding) {
  const known = ENCODINGS[String(encoding ?? 'utf8').toLowerCase()];
  if (known === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return known;
}

function units(text, mask) {
  return Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at) & mask);
}

const encoders = {
  utf8: (text) => new TextEncoder().encode(text),
  ascii: (text) => units(text, 0xff),
  latin1: (text) => units(text, 0xff),
  utf16le(text) {
    const bytes = new Uint8Array(text.length * 2);
    for (let at = 0; at < text.length; at++) {
      bytes[at * 2] = text.charCodeAt(at) & 0xff;
      bytes[at * 2 + 1] = text.charCodeAt(at) >> 8;
    }
    return bytes;
  },
  hex(text) {
    const digits = text.match(/^(?:[0-9a-f]{2})*/i)[0];
    return Uint8Array.from({ length: digits.length / 2 }, (_, at) => parseInt(digits.slice(at * 2, at * 2 + 2), 16));
  },
  base64(text) {
    const digits = text.replace(/=[^]*$/, '').replace(/-/g, '+').replace(/_/g, '/').replace(/[^A-Za-z0-9+/]/g, '');
    return units(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits), 0xff);
  },
  base64url: (text) => encoders.base64(text),
};

/** Characters of bytes, in pieces that fit on the stack. */
function characters(bytes, mask) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x2000) text += String.fromCharCode(...bytes.subarray(at, at + 0x2000).map((byte) => byte & mask));
  return text;
}

const decoders = {
  utf8: (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  ascii: (bytes) => characters(bytes, 0x7f),
  latin1: (bytes) => characters(bytes, 0xff),
  utf16le(bytes) {
    let text = '';
    for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode(bytes[at] | bytes[at + 1] << 8);
    return text;
  },
  hex: (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  base64: (bytes) => btoa(characters(bytes, 0xff)),
  base64url: (bytes) => decoders.base64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, ''),
};

class FastBuffer extends Uint8Array {
  static get [Symbol.species]() { return FastBuffer; }
}

/** As in Node, `Buffer(…)` and `new Buffer(…)` are functions of old programs. */
function Buffer(value, encodingOrOffset, length) {
  return typeof value === 'number' ? Buffer.alloc(value) : Buffer.from(value, encodingOrOffset, length);
}

Object.setPrototypeOf(Buffer, Uint8Array);
Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(FastBuffer.prototype, 'constructor', { value: Buffer, writable: true, configurable: true });

function own(bytes) { return new FastBuffer(bytes.buffer, bytes.byteOffset, bytes.byteLength); }

function checkSize(size) {
  if (typeof size !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('size', 'number', size);
  if (!(size >= 0 && size <= kMaxLength)) throw new codes.ERR_OUT_OF_RANGE('size', `>= 0 && <= ${kMaxLength}`, size);
}

Object.assign(Buffer, {
  poolSize: 8192,

  from(value, encodingOrOffset, length) {
    if (typeof value === 'string') return own(encoders[encodingOf(encodingOrOffset)](value));
    if (value instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer)) {
      return new FastBuffer(value, encodingOrOffset, length);
    }
    if (typeof value !== 'object' || value === null) {
      throw new codes.ERR_INVALID_ARG_TYPE('first argument', ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'], value);
    }
    if (value.type === 'Buffer' && Array.isArray(value.data)) return new FastBuffer(value.data);
    const primitive = ArrayBuffer.isView(value) || Array.isArray(value) ? value : value.valueOf();
    return primitive !== value && primitive != null ? Buffer.from(primitive, encodingOrOffset, length) : new FastBuffer(Array.from(value));
  },

  of: (...bytes) => new FastBuffer(bytes),

  alloc(size, fill, encoding) {
    checkSize(size);
    const bytes = new FastBuffer(size);
    return fill === undefined || size === 0 ? bytes : bytes.fill(fill, encoding);
  },
  allocUnsafe: (size) => Buffer.alloc(size),
  allocUnsafeSlow: (size) => Buffer.alloc(size),

  isBuffer: (value) => value instanceof FastBuffer,
  isEncoding: (encoding) => typeof encoding === 'string' && ENCODINGS[encoding.toLowerCase()] !== undefined,
  byteLength: (value, encoding) => typeof value === 'string' ? encoders[encodingOf(encoding)](value).length : value.byteLength,

  concat(list, length = list.reduce((sum, bytes) => sum + bytes.length, 0)) {
    const all = Buffer.alloc(length);
    let at = 0;
    for (const bytes of list) {
      if (at >= length) break;
      all.set(bytes.subarray(0, length - at), at);
      at += bytes.length;
    }
    return all;
  },

  compare(one, other) {
    const length = Math.min(one.length, other.length);
    for (let at = 0; at < length; at++) {
      if (one[at] !== other[at]) return one[at] < other[at] ? -1 : 1;
    }
    return Math.sign(one.length - other.length);
  },
});

function find(bytes, value, from, encoding, isLast) {
  if (typeof from === 'string') [from, encoding] = [undefined, from];
  if (typeof value === 'number') return isLast ? Uint8Array.prototype.lastIndexOf.call(bytes, value & 0xff, from ?? bytes.length - 1) : Uint8Array.prototype.indexOf.call(bytes, value & 0xff, from);
  const wanted = typeof value === 'string' ? Buffer.from(value, encoding) : value;
  const last = bytes.length - wanted.length;
  let at = from === undefined ? (isLast ? last : 0) : from < 0 ? Math.max(bytes.length + from, 0) : from;
  if (isLast) at = Math.min(at, last);
  for (; at >= 0 && at <= last; at += isLast ? -1 : 1) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

const methods = {
  toString(encoding, start = 0, end = this.length) { return decoders[encodingOf(encoding)](this.subarray(Math.max(start, 0), end)); },
  toJSON() { return { type: 'Buffer', data: [...this] }; },
  equals(other) { return Buffer.compare(this, other) === 0; },

  compare(other, otherStart = 0, otherEnd = other.length, start = 0, end = this.length) {
    return Buffer.compare(this.subarray(start, end), other.subarray(otherStart, otherEnd));
  },

  copy(target, targetStart = 0, start = 0, end = this.length) {
    const part = this.subarray(start, Math.min(end, start + target.length - targetStart));
    target.set(part, targetStart);
    return part.length;
  },

  write(text, offset, length, encoding) {
    if (typeof offset === 'string') [offset, encoding] = [0, offset];
    else if (typeof length === 'string') [length, encoding] = [undefined, length];
    offset ??= 0;
    const space = Math.min(length ?? Infinity, this.length - offset);
    let bytes = encoders[encodingOf(encoding)](text);
    if (bytes.length > space) {
      bytes = bytes.subarray(0, space);
      // No part of a character is written.
      if (encodingOf(encoding) === 'utf8') bytes = bytes.subarray(0, encoders.utf8(decoders.utf8(bytes).replace(/\ufffd+$/, '')).length);
    }
    this.set(bytes, offset);
    return bytes.length;
  },

  fill(value, offset, end, encoding) {
    if (typeof offset === 'string') [offset, encoding] = [undefined, offset];
    else if (typeof end === 'string') [end, encoding] = [undefined, end];
    const part = this.subarray(offset ?? 0, end ?? this.length);
    const pattern = typeof value === 'string' ? Buffer.from(value, encoding) : value;
    if (typeof pattern === 'object' && pattern.length > 0) part.forEach((_, at) => { part[at] = pattern[at % pattern.length]; });
    else Uint8Array.prototype.fill.call(part, typeof pattern === 'object' ? 0 : pattern & 0xff);
    return this;
  },

  indexOf(value, from, encoding) { return find(this, value, from, encoding, false); },
  lastIndexOf(value, from, encoding) { return find(this, value, from, encoding, true); },
  includes(value, from, encoding) { return this.indexOf(value, from, encoding) !== -1; },
  slice(start, end) { return this.subarray(start, end); },

  readUIntLE(offset, length) { return Array.from(part(this, offset, length)).reduceRight((sum, byte) => sum * 256 + byte, 0); },
  readUIntBE(offset, length) { return Array.from(part(this, offset, length)).reduce((sum, byte) => sum * 256 + byte, 0); },
  readIntLE(offset, length) { return signed(this.readUIntLE(offset, length), length); },
  readIntBE(offset, length) { return signed(this.readUIntBE(offset, length), length); },

  writeUIntLE(value, offset, length) {
    const bytes = part(this, offset, length);
    for (let at = 0; at < length; at++, value = Math.floor(value / 256)) bytes[at] = value % 256;
    return offset + length;
  },
  writeUIntBE(value, offset, length) {
    const bytes = part(this, offset, length);
    for (let at = length - 1; at >= 0; at--, value = Math.floor(value / 256)) bytes[at] = value % 256;
    return offset + length;
  },
  writeIntLE(value, offset, length) { return this.writeUIntLE(value < 0 ? value + 2 ** (8 * length) : value, offset, length); },
  writeIntBE(value, offset, length) { return this.writeUIntBE(value < 0 ? value + 2 ** (8 * length) : value, offset, length); },
};

function part(bytes, offset, length) {
  if (!(offset >= 0 && offset + length <= bytes.length)) throw new codes.ERR_OUT_OF_RANGE('offset', `>= 0 and <= ${bytes.length - length}`, offset);
  return bytes.subarray(offset, offset + length);
}

function signed(value, length) { return value >= 2 ** (8 * length - 1) ? value - 2 ** (8 * length) : value; }

for (const size of [16, 32, 64]) {
  methods[`swap${size}`] = function swap() {
    for (let at = 0; at < this.length; at += size / 8) Uint8Array.prototype.reverse.call(this.subarray(at, at + size / 8));
    return this;
  };
}

/** Methods of numbers, from DataView's: their names in Node, there, and sizes. */
const NUMBERS = [
  ['UInt8', 'Uint8', 1], ['Int8', 'Int8', 1], ['UInt16', 'Uint16', 2], ['Int16', 'Int16', 2], ['UInt32', 'Uint32', 4], ['Int32', 'Int32', 4],
  ['Float', 'Float32', 4], ['Double', 'Float64', 8], ['BigUInt64', 'BigUint64', 8], ['BigInt64', 'BigInt64', 8],
];

for (const [name, type, size] of NUMBERS) {
  for (const end of size === 1 ? [''] : ['LE', 'BE']) {
    const view = (bytes, offset) => {
      const own = part(bytes, offset, size);
      return new DataView(own.buffer, own.byteOffset, size);
    };
    methods[`read${name}${end}`] = function read(offset = 0) { return view(this, offset)[`get${type}`](0, end === 'LE'); };
    methods[`write${name}${end}`] = function write(value, offset = 0) {
      view(this, offset)[`set${type}`](0, value, end === 'LE');
      return offset + size;
    };
  }
}
for (const name of Object.keys(methods)) {
  if (name.includes('UInt')) methods[name.replace('UInt', 'Uint')] = methods[name];
}
for (const [name, value] of Object.entries(methods)) Object.defineProperty(FastBuffer.prototype, name, { value, writable: true, configurable: true });
Object.defineProperty(FastBuffer.prototype, 'parent', { get() { return this.buffer; }, configurable: true });
Object.defineProperty(FastBuffer.prototype, 'offset', { get() { return this.byteOffset; }, configurable: true });

module.exports = {
  Buffer,
  SlowBuffer: Buffer,
  INSPECT_MAX_BYTES: 50,
  kMaxLength,
  constants: { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 },
  Blob: globalThis.Blob,
  File: globalThis.File,
  atob: (text) => atob(text),
  btoa: (text) => btoa(text),
  isUtf8(bytes) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  },
  isAscii: (bytes) => new Uint8Array(bytes.buffer ?? bytes).every((byte) => byte < 128),
};
