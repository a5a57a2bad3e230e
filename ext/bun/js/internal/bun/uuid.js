// `Bun.randomUUIDv7` and `Bun.randomUUIDv5` (RFC 9562). In: an encoding, a time; a name and its
// namespace. Out: text, or a Buffer. Version 4 is `crypto.randomUUID`.
'use strict';

const { Buffer } = require('buffer');
const { codes } = require('internal/errors');
const { invalidArgType } = require('internal/bun/environment');

const TIMESTAMP_MAX = 2 ** 48 - 1;
const COUNTER_MAX = 0xfff;
const VERSION_OFFSET = 6;
const VARIANT_OFFSET = 8;

/** The last UUID: the time asked for, the counter, and how many milliseconds that ran ahead. */
const last = { time: -1, ahead: 0, counter: 0 };

function randomUUIDv7(encoding, timestamp) {
  // The time may be the only argument.
  if (encoding !== undefined && typeof encoding !== 'string') [encoding, timestamp] = [undefined, encoding];
  const write = writerFor(encoding);
  const time = timestampOf(timestamp);
  const bytes = Buffer.alloc(16);
  require('crypto').randomFillSync(bytes);
  advance(time, bytes.readUInt16BE(VERSION_OFFSET));
  bytes.writeUIntBE(Math.min(last.time + last.ahead, TIMESTAMP_MAX), 0, 6);
  bytes.writeUInt16BE(last.counter, VERSION_OFFSET);
  return write(mark(bytes, 7));
}

/** UUIDs of one millisecond ascend. A counter that overflows goes on in the next millisecond. */
function advance(time, seed) {
  if (time < last.time || time > last.time + last.ahead) {
    Object.assign(last, { time, ahead: 0, counter: seed & COUNTER_MAX });
  } else if (last.counter === COUNTER_MAX) {
    Object.assign(last, { ahead: last.ahead + 1, counter: 0 });
  } else {
    last.counter++;
  }
}

function timestampOf(value) {
  if (value === undefined) return Date.now();
  const time = value instanceof Date ? value.getTime() : value;
  if (typeof time !== 'number') throw invalidArgType(`The "timestamp" property must be of type number. Received ${typeof time}`);
  if (!(time >= 0 && time <= TIMESTAMP_MAX)) {
    throw new codes.ERR_OUT_OF_RANGE('timestamp', `>= 0 and <= ${TIMESTAMP_MAX}`, time);
  }
  return Math.trunc(time);
}

// --- names

/** Namespaces of RFC 9562, which differ in one byte. */
const NAMESPACES = { __proto__: null, dns: '10', url: '11', oid: '12', x500: '14' };
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function randomUUIDv5(name, namespace, encoding) {
  const text = bytesOf(name, 'name');
  const space = namespaceBytes(namespace);
  const write = writerFor(encoding);
  const digest = require('crypto').createHash('sha1').update(space).update(text).digest();
  return write(mark(digest.subarray(0, 16), 5));
}

function bytesOf(value, what) {
  const bytes = typeof value === 'string' ? Buffer.from(value) : require('internal/bun/bytes').toUint8Array(value);
  if (bytes === undefined) throw invalidArgType(`${what} must be a string, ArrayBuffer or ArrayBufferView`);
  return bytes;
}

function namespaceBytes(namespace) {
  if (typeof namespace !== 'string') {
    const bytes = bytesOf(namespace, 'namespace');
    if (bytes.length !== 16) throw invalidNamespace('Namespace must be exactly 16 bytes');
    return bytes;
  }
  const known = NAMESPACES[namespace.toLowerCase()];
  const text = known === undefined ? namespace : `6ba7b8${known}-9dad-11d1-80b4-00c04fd430c8`;
  if (!UUID.test(text)) throw invalidNamespace('Invalid UUID format for namespace');
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}

function invalidNamespace(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });
}

// --- output

/** Sets version and variant. */
function mark(bytes, version) {
  bytes[VERSION_OFFSET] = (bytes[VERSION_OFFSET] & 0x0f) | (version << 4);
  bytes[VARIANT_OFFSET] = (bytes[VARIANT_OFFSET] & 0x3f) | 0x80;
  return bytes;
}

function writerFor(encoding = 'hex') {
  const name = `${encoding}`.toLowerCase();
  if (name === 'hex') return (bytes) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  if (name === 'buffer') return (bytes) => bytes;
  if (Buffer.isEncoding(name)) return (bytes) => bytes.toString(name);
  throw Object.assign(new TypeError('Encoding must be one of base64, base64url, hex, or buffer'), { code: 'ERR_UNKNOWN_ENCODING' });
}

module.exports = { randomUUIDv5, randomUUIDv7 };
