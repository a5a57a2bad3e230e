// Memory of `bun:ffi`. In: pointers, which are numbers or BigInts. Out: values that are read there,
// strings, buffers over the memory; addresses of views. Absent: checks that there is memory at a
// pointer: what is not there ends the process, as in bun and in C.
'use strict';

const binding = internalBinding('ffi');
const { RESULT } = binding.layout;

const u32 = binding.slots;
const memory = u32.buffer;
const i32 = new Int32Array(memory);
const f32 = new Float32Array(memory);
const f64 = new Float64Array(memory);
const u64 = new BigUint64Array(memory);
const i64 = new BigInt64Array(memory);

const LOW = 2 * RESULT;
const HIGH = LOW + 1;
const HALF = 2 ** 32;
const { isView } = ArrayBuffer;

/** The address of a pointer. */
function addressOf(pointer, what) {
  const address = typeof pointer === 'bigint' ? Number(pointer) : pointer;
  if (typeof address !== 'number' || !Number.isInteger(address) || address < 0) {
    throw new TypeError(`${what}: expected a pointer, a number that is not negative`);
  }
  return address;
}

function offsetAddress(pointer, byteOffset, what) {
  const address = addressOf(pointer, what) + (byteOffset === undefined ? 0 : Math.trunc(Number(byteOffset)) || 0);
  // Page 0 is never mapped: the mistake is certain.
  if (address <= 0xFFF) throw new TypeError(`${what}: ${address === 0 ? 'the pointer is null' : 'the pointer is invalid'}`);
  return address;
}

/** The address of the bytes of a view or buffer. */
function viewAddress(view) {
  // An array whose `buffer` was never read may be moved when it is.
  if (isView(view)) view.buffer;
  return binding.address(view);
}

function isBytes(value) { return isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer; }

function ptr(view, byteOffset) {
  if (!isBytes(view)) throw new TypeError('ptr: expected a TypedArray, a DataView or an ArrayBuffer');
  const { byteLength } = view;
  if (byteLength === 0) throw new TypeError('ptr: the view is empty');
  const offset = byteOffset === undefined ? 0 : Math.trunc(Number(byteOffset)) || 0;
  if (offset < 0 || offset > byteLength) throw new RangeError('ptr: byteOffset is outside of the view');
  return viewAddress(view) + offset;
}

/** Reads bytes into the slot of the result. */
function load(pointer, byteOffset, bytes) { binding.read(offsetAddress(pointer, byteOffset, 'read'), bytes); }

const read = {
  u8(pointer, byteOffset) { load(pointer, byteOffset, 1); return u32[LOW]; },
  i8(pointer, byteOffset) { load(pointer, byteOffset, 1); return i32[LOW] << 24 >> 24; },
  u16(pointer, byteOffset) { load(pointer, byteOffset, 2); return u32[LOW]; },
  i16(pointer, byteOffset) { load(pointer, byteOffset, 2); return i32[LOW] << 16 >> 16; },
  u32(pointer, byteOffset) { load(pointer, byteOffset, 4); return u32[LOW]; },
  i32(pointer, byteOffset) { load(pointer, byteOffset, 4); return i32[LOW]; },
  f32(pointer, byteOffset) { load(pointer, byteOffset, 4); return f32[LOW]; },
  u64(pointer, byteOffset) { load(pointer, byteOffset, 8); return u64[RESULT]; },
  i64(pointer, byteOffset) { load(pointer, byteOffset, 8); return i64[RESULT]; },
  f64(pointer, byteOffset) { load(pointer, byteOffset, 8); return f64[RESULT]; },
  ptr(pointer, byteOffset) { load(pointer, byteOffset, 8); return u32[HIGH] * HALF + u32[LOW]; },
  intptr(pointer, byteOffset) { load(pointer, byteOffset, 8); return i32[HIGH] * HALF + u32[LOW]; },
};

function lengthOf(byteLength, address, what) {
  if (byteLength === undefined || byteLength === null) return binding.stringLength(address);
  const length = Number(byteLength);
  if (!Number.isSafeInteger(length) || length < 0) throw new RangeError(`${what}: byteLength must be an integer that is not negative`);
  return length;
}

/**
 * The string at a pointer. With `new`, too, it is no object; where the binding has no constructor,
 * `new` makes a String object of it.
 */
const CString = binding.CString ?? function CString(pointer, byteOffset, byteLength) {
  const address = pointer ? offsetAddress(pointer, byteOffset, 'CString') : 0;
  const string = address === 0 ? '' : binding.string(address, lengthOf(byteLength, address, 'CString'));
  return new.target === undefined ? string : Object(string);
};

/** The string at an address; null for a null pointer. */
function stringAt(address) { return address === 0 ? null : binding.string(address, binding.stringLength(address)); }

function toArrayBuffer(pointer, byteOffset, byteLength, context, deallocator) {
  const address = offsetAddress(pointer, byteOffset, 'toArrayBuffer');
  const length = lengthOf(byteLength, address, 'toArrayBuffer');
  // With four arguments the last one is the deallocator.
  if (deallocator === undefined) [context, deallocator] = [undefined, context];
  const optional = (value) => (value === undefined || value === null ? 0 : addressOf(typeof value === 'object' ? value.ptr : value, 'toArrayBuffer'));
  return binding.buffer(address, length, optional(deallocator), optional(context));
}

function toBuffer(...parameters) { return Buffer.from(toArrayBuffer(...parameters)); }

module.exports = { views: { u32, i32, f32, f64, u64, i64 }, ptr, read, CString, stringAt, toArrayBuffer, toBuffer, viewAddress, isBytes };
