// Deserialization of packets from other threads (StructuredDeserializeWithTransfer of the HTML
// standard). In: the receive buffer, a string that contains all strings. Out: a value, and the
// transferred ports. Objects are numbered in the encoder's order. Absent: validation; a packet was
// written by a thread of this process.
'use strict';

const { ERRORS, VIEWS } = require('internal/messaging/tags');
const { deserialize } = require('internal/messaging/cloneable');
const { fastObjectFactory, objectFactory } = require('internal/messaging/object_shapes');
const binding = internalBinding('message_port');

const {
  UNDEFINED, NULL, TRUE, FALSE, INT, DOUBLE, STRING, LONG_STRING, BIGINT, REFERENCE, TRANSFERRED, OBJECT, SHAPED, ARRAY, INTS, DOUBLES, SPARSE, HOLE, DATE, REGEXP, MAP, SET,
  ERROR, BUFFER, SHARED_BUFFER, VIEW, BOXED, HOST, WASM_MODULE, FAST_OBJECT, WASM_MEMORY,
} = binding.tag;
const { HEADER_WORDS, RECEIVE_HEADER_WORDS, TRANSFER_WORDS } = binding.layout;
const { defineProperty } = Object;
const HOLE_VALUE = Symbol('hole');
const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
/** Longer arrays are not preallocated: the engine would create a sparse array. */
const PREALLOCATED_MAX = 50_000;

let words;
let doubles;
let wordOffset;
let doubleOffset;
let strings;
let stringOffset;
let objects;
let transferred;
let emptyModule;
let emptyMemory;

function readValue() {
  switch (words[wordOffset++]) {
    case INT: return words[wordOffset++];
    case STRING: return readString(words[wordOffset++]);
    case DOUBLE: return doubles[--doubleOffset];
    case TRUE: return true;
    case FALSE: return false;
    case NULL: return null;
    case UNDEFINED: return undefined;
    case SHAPED: return objectFactory(words[wordOffset++])(readValue, objects);
    case OBJECT: return readProperties(addObject({}), words[wordOffset++]);
    case ARRAY: return readArray(words[wordOffset++]);
    case INTS: return readInts(words[wordOffset++]);
    case DOUBLES: return readDoubles(words[wordOffset++]);
    case HOLE: return HOLE_VALUE;
    case REFERENCE: return objects[words[wordOffset++]];
    case LONG_STRING: return binding.takeAttachment(words[wordOffset++]);
    case BIGINT: return parseBigInt(readString(words[wordOffset++]));
    case TRANSFERRED: return transferred[words[wordOffset++]];
    default:
      wordOffset--;
      return readRare();
  }
}

function readString(length) {
  const start = stringOffset;
  stringOffset += length;
  return strings.substring(start, stringOffset);
}

function addObject(object) {
  objects.push(object);
  return object;
}

function parseBigInt(digits) {
  return digits[0] === '-' ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`);
}

/** Creates an own property, without calling a setter of the prototype. */
function setProperty(object, name, value) {
  if (name in object) defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

function readProperties(object, length) {
  for (let i = 0; i < length; i++) setProperty(object, readString(words[wordOffset++]), readValue());
  return object;
}

function readArray(length) {
  const list = addObject([]);
  for (let i = 0; i < length; i++) {
    const item = readValue();
    if (item === HOLE_VALUE) list.length = i + 1;
    else list[i] = item;
  }
  return list;
}

function readInts(length) {
  const list = addObject(length < PREALLOCATED_MAX ? new Array(length) : []);
  const source = words;
  const start = wordOffset;
  for (let i = 0; i < length; i++) list[i] = source[start + i];
  wordOffset = start + length;
  return list;
}

function readDoubles(length) {
  const list = addObject(length < PREALLOCATED_MAX ? new Array(length) : []);
  const source = doubles;
  const last = doubleOffset - 1;
  for (let i = 0; i < length; i++) list[i] = source[last - i];
  doubleOffset -= length;
  return list;
}

function readRare() {
  switch (words[wordOffset++]) {
    case SPARSE: {
      const list = addObject([]);
      list.length = doubles[--doubleOffset];
      return readProperties(list, words[wordOffset++]);
    }
    case DATE: return addObject(new Date(doubles[--doubleOffset]));
    case REGEXP: {
      const source = readString(words[wordOffset++]);
      return addObject(new RegExp(source, readString(words[wordOffset++])));
    }
    case MAP: return readMap(addObject(new Map()));
    case SET: return readSet(addObject(new Set()));
    case ERROR: return readError();
    case BUFFER: return readBuffer();
    case SHARED_BUFFER: return addObject(binding.takeAttachment(words[wordOffset++]));
    case WASM_MODULE: return addObject(binding.takeModule(words[wordOffset++], realmModule()));
    case WASM_MEMORY: return addObject(binding.takeWasmMemory(words[wordOffset++], realmMemory()));
    case VIEW: return readView();
    case BOXED: {
      const id = objects.push(undefined) - 1;
      return objects[id] = Object(readValue());
    }
    case HOST: {
      const id = objects.push(undefined) - 1;
      const type = words[wordOffset++];
      const index = words[wordOffset++];
      const native = index < 0 ? undefined : binding.takeAttachment(index);
      return objects[id] = deserialize(type, readValue(), native);
    }
    default: throw new Error('unknown tag in a packet');
  }
}

function readMap(collection) {
  for (let rest = words[wordOffset++]; rest > 0; rest -= 2) collection.set(readValue(), readValue());
  return collection;
}

function readSet(collection) {
  for (let rest = words[wordOffset++]; rest > 0; rest--) collection.add(readValue());
  return collection;
}

function readError() {
  const errorObject = addObject(new globalThis[ERRORS[words[wordOffset++]]]());
  const flags = words[wordOffset++];
  const defineHidden = (key, value) => {
    defineProperty(errorObject, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  };
  const message = readString(words[wordOffset++]);
  if (flags & 1) defineHidden('message', message);
  const stack = readString(words[wordOffset++]);
  defineHidden('stack', flags & 4 ? stack : undefined);
  if (flags & 2) defineHidden('cause', readValue());
  return errorObject;
}

function readBuffer() {
  const bytes = binding.takeAttachment(words[wordOffset++]);
  const maxByteLength = doubles[--doubleOffset];
  return addObject(maxByteLength < 0 ? bytes : require('internal/messaging/receive_transferables').toResizable(bytes, maxByteLength));
}

/** A module of this realm, from which the engine takes the prototype. */
function realmModule() {
  emptyModule ??= new globalThis.WebAssembly.Module(EMPTY_MODULE);
  return emptyModule;
}

/** A memory of this realm, for the same purpose. */
function realmMemory() {
  emptyMemory ??= new globalThis.WebAssembly.Memory({ initial: 0 });
  return emptyMemory;
}

function readView() {
  const id = objects.push(undefined) - 1;
  const name = VIEWS[words[wordOffset++]];
  const offset = doubles[--doubleOffset];
  const length = doubles[--doubleOffset];
  return objects[id] = new globalThis[name](readValue(), offset, length < 0 ? undefined : length);
}

function deleteAbsentProperties(start) {
  wordOffset = start;
  for (let rest = words[wordOffset++]; rest > 0; rest--) {
    const id = words[wordOffset++];
    delete objects[id][readString(words[wordOffset++])];
  }
}

const FAST_OBJECT_OFFSET = RECEIVE_HEADER_WORDS + HEADER_WORDS;

/**
 * Whether the buffer contains an object with primitive members only, as
 * ext/worker/src/message_port/fast_object.rs writes it.
 */
const isFastObject = (packetWords) => packetWords[FAST_OBJECT_OFFSET] === FAST_OBJECT;

function decodeFastObject(packetWords, packetDoubles, string) {
  doubles = packetDoubles;
  strings = string;
  return fastObjectFactory(packetWords[FAST_OBJECT_OFFSET + 1])(packetWords, readMember);
}

/** A member of a fast object, from its two words. */
function readMember(tag, word) {
  switch (tag) {
    case INT: return word;
    case STRING: {
      const begin = word >> 16;
      return strings.substring(begin, begin + (word & 0xffff));
    }
    case TRUE: return true;
    case FALSE: return false;
    case NULL: return null;
    case DOUBLE: return doubles[doubles.length - 1 - word];
    default: return undefined;
  }
}

/** Decodes the buffer. It runs no code of the program. */
function decode(packetWords, packetDoubles, string) {
  words = packetWords;
  doubles = packetDoubles;
  wordOffset = RECEIVE_HEADER_WORDS;
  doubleOffset = doubles.length;
  strings = string ?? '';
  stringOffset = 0;
  objects = [];
  const count = words[wordOffset];
  const index = words[wordOffset + 1];
  const absentOffset = words[wordOffset + 2];
  wordOffset += HEADER_WORDS;
  try {
    const receiver = count === 0 ? undefined : require('internal/messaging/receive_transferables');
    transferred = receiver?.receiveTransferred(words, wordOffset, count, index);
    wordOffset += count * TRANSFER_WORDS;
    const value = readValue();
    if (absentOffset !== 0) deleteAbsentProperties(absentOffset + RECEIVE_HEADER_WORDS);
    return count === 0 ? { value, ports: [] } : { value, ports: transferred.filter(isPort), settle: receiver.settle };
  } finally {
    objects = transferred = undefined;
    strings = '';
  }
}

function isPort(value) { return require('web/message_port').isPort(value); }

module.exports = { decode, decodeFastObject, isFastObject };
