// `node:buffer`: the class Buffer and the functions of the module. The binding encodes long
// strings, loops short ones. Absent: encodings (internal/buffer), methods (internal/buffer/*).
'use strict';

const { codes } = require('internal/errors');
const { validateArray, validateInteger, validateNumber } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView, isTypedArray } = require('internal/util/types');
const { FastBuffer, STRING_UNITS_MAX, allocate, encodingOf, fromString, isBytes, pool, utf8 } = require('internal/buffer');

const binding = internalBinding('buffer');
const { fill: fillBytes, set: setBytes } = Uint8Array.prototype;
const BYTES_MAX = Number.MAX_SAFE_INTEGER;
const TypedArray = Object.getPrototypeOf(Uint8Array);
const { get: byteLengthOf } = Object.getOwnPropertyDescriptor(TypedArray.prototype, 'byteLength');

/** Number of calls of `Buffer()` whose caller is checked, as in Node; a check is expensive. */
const CALLER_CHECKS_MAX = 10000;
let callerChecksLeft = CALLER_CHECKS_MAX;

function Buffer(arg, encodingOrOffset, length) {
  if (callerChecksLeft > 0) warnOfConstructor();
  if (typeof arg === 'number') {
    if (typeof encodingOrOffset === 'string') throw new codes.ERR_INVALID_ARG_TYPE('string', 'string', arg);
    return Buffer.alloc(arg);
  }
  return Buffer.from(arg, encodingOrOffset, length);
}

// Emitted once, for callers outside of node_modules, or for all under `--pending-deprecation`.
function warnOfConstructor() {
  callerChecksLeft--;
  const isPending = require('internal/options').getOptionValue('--pending-deprecation');
  if (!isPending && require('internal/util').isInsideNodeModules()) return;
  callerChecksLeft = 0;
  process.emitWarning(
    'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), ' +
    'Buffer.allocUnsafe(), or Buffer.from() methods instead.', 'DeprecationWarning', 'DEP0005', Buffer);
}

Buffer.poolSize = pool.size;

Buffer.from = function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromStringWith(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (mayBeArrayBuffer(value) && isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const primitive = value.valueOf && value.valueOf();
    if (primitive != null && primitive !== value &&
        (typeof primitive === 'string' || typeof primitive === 'object')) {
      return from(primitive, encodingOrOffset, length);
    }
    const buffer = fromObject(value);
    if (buffer) return buffer;
    if (typeof value[Symbol.toPrimitive] === 'function') {
      const text = value[Symbol.toPrimitive]('string');
      if (typeof text === 'string') return fromStringWith(text, encodingOrOffset);
    }
  }
  throw new codes.ERR_INVALID_ARG_TYPE(
    'first argument', ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'], value);
};

// Excludes common values cheaply; `isAnyArrayBuffer` calls the binding.
const mayBeArrayBuffer = (value) => !isArrayBufferView(value) && !Array.isArray(value);

function fromStringWith(string, encoding) {
  let ops = utf8;
  if (typeof encoding === 'string' && encoding.length !== 0) {
    ops = encodingOf(encoding);
    if (ops === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  }
  if (pool.size !== Buffer.poolSize) pool.size = Buffer.poolSize;
  return fromString(string, ops);
}

function fromArrayBuffer(buffer, offset, length) {
  if (offset === undefined) {
    offset = 0;
  } else {
    offset = +offset;
    if (offset !== offset) offset = 0;
  }
  const room = buffer.byteLength - offset;
  if (room < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (length !== undefined) {
    length = +length;
    if (!(length > 0)) length = 0;
    else if (length > room) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
  } else if (!buffer.resizable && !buffer.growable) {
    length = room;
  }
  return new FastBuffer(buffer, offset, length);
}

function fromArrayLike(list) {
  const { length } = list;
  if (!(length > 0)) return new FastBuffer();
  const buffer = allocatePooled(length);
  if (isBytes(list) || isTypedArray(list)) {
    setBytes.call(buffer, list);
  } else {
    for (let i = 0; i < length; i++) buffer[i] = list[i];
  }
  return buffer;
}

function fromObject(value) {
  if (value.length !== undefined || isAnyArrayBuffer(value.buffer)) {
    return typeof value.length === 'number' ? fromArrayLike(value) : new FastBuffer();
  }
  if (value.type === 'Buffer' && Array.isArray(value.data)) return fromArrayLike(value.data);
}

// Allocates with the current pool size, which programs may change at any time.
function allocatePooled(size) {
  if (pool.size !== Buffer.poolSize) pool.size = Buffer.poolSize;
  return allocate(size);
}

Buffer.copyBytesFrom = function copyBytesFrom(view, offset, length) {
  if (!isTypedArray(view)) throw new codes.ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
  const count = view.length;
  if (count === 0) return Buffer.alloc(0);
  let end = count;
  if (offset !== undefined) {
    validateInteger(offset, 'offset', 0);
    if (offset >= count) return Buffer.alloc(0);
  } else {
    offset = 0;
  }
  if (length !== undefined) {
    validateInteger(length, 'length', 0);
    end = Math.min(count, offset + length);
  }
  const part = TypedArray.prototype.slice.call(view, offset, end);
  return fromArrayLike(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
};

Object.setPrototypeOf(Buffer, Uint8Array);

Buffer.of = function of(...items) {
  const buffer = allocatePooled(items.length);
  for (let i = 0; i < items.length; i++) buffer[i] = items[i];
  return buffer;
};

function checkSize(size) {
  validateNumber(size, 'size', 0, BYTES_MAX);
}

// Throws Node's message instead of the engine's.
function newBuffer(size) {
  try {
    return new FastBuffer(size);
  } catch {
    throw new RangeError('Array buffer allocation failed');
  }
}

Buffer.alloc = function alloc(size, fill, encoding) {
  checkSize(size);
  const buffer = newBuffer(size);
  return fill !== undefined && fill !== 0 && size > 0 ? fillWith(buffer, fill, 0, buffer.length, encoding) : buffer;
};

Buffer.allocUnsafe = function allocUnsafe(size) {
  checkSize(size);
  if (pool.size !== Buffer.poolSize) pool.size = Buffer.poolSize;
  return size >= pool.size >>> 1 ? newBuffer(size) : allocate(size);
};

Buffer.allocUnsafeSlow = function allocUnsafeSlow(size) {
  checkSize(size);
  return newBuffer(size);
};

Buffer.isBuffer = function isBuffer(value) {
  return value instanceof Buffer;
};

Buffer.compare = function compare(buf1, buf2) {
  if (!isBytes(buf1)) throw new codes.ERR_INVALID_ARG_TYPE('buf1', ['Buffer', 'Uint8Array'], buf1);
  if (!isBytes(buf2)) throw new codes.ERR_INVALID_ARG_TYPE('buf2', ['Buffer', 'Uint8Array'], buf2);
  return buf1 === buf2 ? 0 : order(buf1, buf2, 0, buf1.length, 0, buf2.length);
};

Buffer.isEncoding = function isEncoding(encoding) {
  return typeof encoding === 'string' && encoding.length !== 0 && encodingOf(encoding) !== undefined;
};

Buffer.concat = function concat(list, length) {
  validateArray(list, 'list');
  if (list.length === 0) return new FastBuffer();
  if (length === undefined) {
    length = 0;
    for (let i = 0; i < list.length; i++) length += byteLengthAt(list, i);
  } else {
    validateInteger(length, 'length', 0);
  }
  const buffer = Buffer.allocUnsafe(length);
  let end = 0;
  for (let i = 0; i < list.length && end < length; i++) {
    const room = length - end;
    const count = byteLengthAt(list, i);
    setBytes.call(buffer, count > room ? new Uint8Array(list[i].buffer, list[i].byteOffset, room) : list[i], end);
    end += count;
  }
  if (end < length) fillBytes.call(buffer, 0, end, length);
  return buffer;
};

// The real length, even if the program has redefined `length`.
function byteLengthAt(list, index) {
  const part = list[index];
  if (!isBytes(part)) throw new codes.ERR_INVALID_ARG_TYPE(`list[${index}]`, ['Buffer', 'Uint8Array'], part);
  return byteLengthOf.call(part);
}

Buffer.byteLength = function byteLength(string, encoding) {
  if (typeof string !== 'string') {
    if (isArrayBufferView(string) || isAnyArrayBuffer(string)) return string.byteLength;
    throw new codes.ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], string);
  }
  const { length } = string;
  if (length === 0) return 0;
  return ((encoding ? encodingOf(encoding) : undefined) ?? utf8).byteLength(string);
};

for (const name of ['from', 'copyBytesFrom', 'of', 'alloc', 'allocUnsafe', 'allocUnsafeSlow', 'isBuffer', 'compare',
  'isEncoding', 'concat', 'byteLength']) {
  Object.defineProperty(Buffer, name, { enumerable: true });
}
Object.defineProperty(Buffer, Symbol.species, {
  configurable: true,
  enumerable: false,
  get() { return FastBuffer; },
});

FastBuffer.prototype.constructor = Buffer;
Buffer.prototype = FastBuffer.prototype;
const { fillWith, order } = require('internal/buffer/methods').addMethods(Buffer);

function isUtf8(input) {
  return binding.isUtf8(bytesToValidate(input));
}

function isAscii(input) {
  return binding.isAscii(bytesToValidate(input));
}

function bytesToValidate(input) {
  if (!isTypedArray(input) && !isAnyArrayBuffer(input)) {
    throw new codes.ERR_INVALID_ARG_TYPE('input', ['TypedArray', 'Buffer'], input);
  }
  if (isAnyArrayBuffer(input) ? input.detached : input.buffer.detached) {
    throw new codes.ERR_INVALID_STATE('Cannot validate on a detached buffer');
  }
  return isTypedArray(input) ? input : new Uint8Array(input);
}

let inspectBytesMax = 50;

module.exports = {
  Buffer,
  transcode: (source, from, to) => require('internal/buffer/transcode').transcode(source, from, to),
  isUtf8,
  isAscii,
  kMaxLength: BYTES_MAX,
  kStringMaxLength: STRING_UNITS_MAX,
  btoa,
  atob,
};

function btoa(input) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('input');
  return require('internal/buffer/transcode').btoa(input);
}

function atob(input) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('input');
  return require('internal/buffer/transcode').atob(input);
}

Object.defineProperties(module.exports, {
  constants: {
    configurable: false,
    enumerable: true,
    value: { MAX_LENGTH: BYTES_MAX, MAX_STRING_LENGTH: STRING_UNITS_MAX },
  },
  INSPECT_MAX_BYTES: {
    configurable: true,
    enumerable: true,
    get() { return inspectBytesMax; },
    set(value) {
      validateNumber(value, 'INSPECT_MAX_BYTES', 0);
      inspectBytesMax = value;
    },
  },
});

// Most users of this module only need Buffer, so the other members load on first access.
function lazy(name, load) {
  require('internal/globals').lazy(module.exports, name, load, true);
}

lazy('Blob', () => require('internal/blob').Blob);
lazy('resolveObjectURL', () => require('internal/blob').resolveObjectURL);
lazy('File', () => require('internal/file').File);
