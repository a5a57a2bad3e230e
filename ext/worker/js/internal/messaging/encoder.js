// Serialization of messages to other threads (StructuredSerializeWithTransfer of the HTML
// standard), into one reused buffer. In: a value, a transfer list. Out: 32-bit words from the
// buffer's front, doubles from its end, one string that contains all strings, pending attachments
// of the binding. Absent: the list of tags (src/message_port/format.rs); rare kinds of values
// (platform_values.js); sending.
'use strict';

const transfer = require('internal/messaging/transfer');
const { isPlatformObject } = require('internal/messaging/cloneable');
const { ABSENT, shapeOf, propertyReader } = require('internal/messaging/object_shapes');
const { keysUnlessDense } = require('internal/messaging/array_keys');
const { kindOfAny, isSharedArrayBuffer } = require('internal/util/types');
const { isProcessEnv, isEngineObject } = require('internal/serdes/uncloneable');
const platformValues = require('internal/messaging/platform_values');
const binding = internalBinding('message_port');

const {
  UNDEFINED, NULL, TRUE, FALSE, INT, DOUBLE, STRING, LONG_STRING, BIGINT, REFERENCE, TRANSFERRED, OBJECT, SHAPED, ARRAY, INTS, DOUBLES, SPARSE, HOLE, DATE, REGEXP, MAP, SET,
  ERROR, BUFFER, SHARED_BUFFER, VIEW, BOXED, HOST,
} = binding.tag;
const { HEADER_WORDS, TRANSFER_WORDS } = binding.layout;
const { apply } = Reflect;
const { fromCharCode } = String;
const { keys: keysOf, hasOwn } = Object;
const { isArray } = Array;
const dateValue = Date.prototype.getTime;

const BUFFER_BYTES = 64 * 1024;
/** A larger buffer is not reused. */
const RETAINED_BYTES_MAX = 4 * 1024 * 1024;
/** Free words that every value may use without a check. */
const RESERVED_WORDS = 32;
/** Limits of strings that are copied by character: of all together, and of one. */
const CHARACTERS_MAX = 256;
const SHORT_MAX = 32;
/** Longer strings are attachments. */
const STRING_UNITS_MAX = 4096;

let bytes = new Uint8Array(BUFFER_BYTES);
let words = new Int32Array(bytes.buffer);
let doubles = new Float64Array(bytes.buffer);
let wordOffset = 0;
let doubleOffset = doubles.length;
/**
 * All strings are in `characters`, or, if they are long or have a code unit above 0xFF, in
 * `stringPool`: copying a few characters is faster than concatenation.
 */
const characters = new Uint8Array(CHARACTERS_MAX);
let characterCount = 0;
let isPoolUsed = false;
let stringPool = '';
let objectCount = 0;
let firstObject;
let objectIds;
let transferIndexes;
let absentProperties;
/**
 * Index of this packet's first attachment among the pending ones, and the number of pending ones.
 */
let attachmentBase = 0;
let attachmentCount = 0;
/** Whether strings may be sent by reference, which has only one receiver. */
let hasOneReceiver = true;
let isEncoding = false;

function growBuffer(wordCount) {
  const needed = (wordOffset + wordCount) * 4 + (doubles.length - doubleOffset) * 8;
  const grown = new Uint8Array(Math.ceil(Math.max(bytes.length * 2, needed + RESERVED_WORDS * 8) / 8) * 8);
  grown.set(bytes.subarray(0, wordOffset * 4));
  const used = doubles.length - doubleOffset;
  grown.set(bytes.subarray(doubleOffset * 8), grown.length - used * 8);
  bytes = grown;
  words = new Int32Array(grown.buffer);
  doubles = new Float64Array(grown.buffer);
  doubleOffset = doubles.length - used;
}

/** Ensures space for some words; a double is two. */
function reserve(wordCount) {
  if (doubleOffset * 2 - wordOffset < wordCount + RESERVED_WORDS) growBuffer(wordCount + RESERVED_WORDS);
}

function writeValue(value) {
  if (doubleOffset * 2 - wordOffset < RESERVED_WORDS) growBuffer(RESERVED_WORDS);
  switch (typeof value) {
    case 'number': return writeNumber(value);
    case 'string': return writeString(value);
    case 'boolean':
      words[wordOffset++] = value ? TRUE : FALSE;
      return undefined;
    case 'undefined':
      words[wordOffset++] = UNDEFINED;
      return undefined;
    case 'object':
      if (value !== null) return writeObject(value);
      words[wordOffset++] = NULL;
      return undefined;
    case 'bigint': {
      words[wordOffset++] = BIGINT;
      return writeCharacters(value.toString(16));
    }
    default: throw platformValues.dataCloneError(value);
  }
}

function writeNumber(value) {
  if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
    words[wordOffset++] = INT;
    words[wordOffset++] = value;
  } else {
    words[wordOffset++] = DOUBLE;
    doubles[--doubleOffset] = value;
  }
}

function writeString(value) {
  const { length } = value;
  if (length > STRING_UNITS_MAX) {
    words[wordOffset++] = LONG_STRING;
    words[wordOffset++] = attachmentIndex(hasOneReceiver ? binding.attachString(value) : binding.attachStringCopy(value));
    return;
  }
  words[wordOffset++] = STRING;
  writeCharacters(value);
}

/** A string without a tag. */
function writeCharacters(value) {
  const { length } = value;
  words[wordOffset++] = length;
  if (!isPoolUsed) {
    if (length <= SHORT_MAX && characterCount + length <= CHARACTERS_MAX && copyCharacters(value, length)) return;
    stringPool = allStrings();
    isPoolUsed = true;
  }
  stringPool += value;
}

/** False: a code unit is above 0xFF. */
function copyCharacters(value, length) {
  let all = 0;
  for (let i = 0; i < length; i++) all |= characters[characterCount + i] = value.charCodeAt(i);
  if (all > 0xff) return false;
  characterCount += length;
  return true;
}

/** The index of an attachment within its packet. */
function attachmentIndex(index) {
  attachmentCount = index + 1;
  return index - attachmentBase;
}

function writeObject(value) {
  if (objectCount !== 0) {
    objectIds ??= new Map([[firstObject, 0]]);
    const id = objectIds.get(value);
    if (id !== undefined) {
      words[wordOffset++] = REFERENCE;
      words[wordOffset++] = id;
      return undefined;
    }
    const index = transferIndexes?.get(value);
    if (index !== undefined) return writeTransferred(index);
    objectIds.set(value, objectCount);
  } else {
    const index = transferIndexes?.get(value);
    if (index !== undefined) return writeTransferred(index);
    firstObject = value;
  }
  objectCount++;
  const kind = kindOfAny(value);
  if (kind === 'other') {
    if (transfer.isMarkedUncloneable(value)) transfer.throwUncloneable();
    if (isArray(value)) return writeArray(value);
    if (isPlatformObject(value)) return writePlatformObject(value);
    if (isEngineObject(value)) return writeWebAssembly(value);
    return writePlainObject(value);
  }
  return writeBuiltin(value, kind);
}

function writeTransferred(index) {
  words[wordOffset++] = TRANSFERRED;
  words[wordOffset++] = index;
}

function writePlainObject(value) {
  const id = objectCount - 1;
  const names = keysOf(value);
  const { length } = names;
  const shape = shapeOf(names);
  reserve(length + 2);
  if (shape < 0) {
    words[wordOffset++] = OBJECT;
    words[wordOffset++] = length;
    writeProperties(value, names, id);
    return;
  }
  words[wordOffset++] = SHAPED;
  words[wordOffset++] = shape;
  propertyReader(shape, names)(value, writeValue, writeAbsent, id);
}

function writeProperties(value, names, id) {
  const { length } = names;
  for (let i = 0; i < length; i++) {
    const name = names[i];
    reserve(1);
    writeCharacters(name);
    if (i === 0 || hasOwn(value, name)) writeValue(value[name]);
    else writeAbsent(id, name);
  }
}

/** A getter has deleted the property meanwhile: the receiver deletes it at the end. */
function writeAbsent(id, name) {
  reserve(1);
  words[wordOffset++] = UNDEFINED;
  (absentProperties ??= []).push(id, name);
}

function writeArray(value) {
  const id = objectCount - 1;
  const { length } = value;
  const names = keysUnlessDense(value, length);
  if (names === undefined) return writeElements(value, length);
  reserve(4);
  words[wordOffset++] = SPARSE;
  doubles[--doubleOffset] = length;
  words[wordOffset++] = names.length;
  return writeProperties(value, names, id);
}

function writeElements(value, length) {
  // Space for words or doubles with tags.
  reserve(length * 3 + 2);
  const start = wordOffset;
  const target = words;
  let i = 0;
  let item;
  for (; i < length; i++) {
    item = value[i];
    if (typeof item !== 'number' || (item | 0) !== item || (item === 0 && 1 / item < 0)) break;
    target[start + 2 + i] = item;
  }
  wordOffset = start + 2 + i;
  words[start + 1] = length;
  if (i === length) {
    words[start] = INTS;
    return;
  }
  if (typeof item === 'number') {
    // Moves the words to the doubles.
    for (let k = 0; k < i; k++) doubles[doubleOffset - 1 - k] = words[start + 2 + k];
    wordOffset = start + 2;
    doubleOffset -= i;
    const targetDoubles = doubles;
    const last = doubleOffset - 1 + i;
    while (typeof item === 'number') {
      targetDoubles[last - i] = item;
      if (++i === length) {
        doubleOffset = last - i + 1;
        words[start] = DOUBLES;
        return;
      }
      item = value[i];
    }
    doubleOffset = last - i + 1;
    for (let k = 0; k < i; k++) words[wordOffset++] = DOUBLE;
  } else {
    tagInts(start + 2, i);
  }
  words[start] = ARRAY;
  for (; i < length; item = value[++i]) {
    if (item === undefined && !(i in value)) {
      reserve(1);
      words[wordOffset++] = HOLE;
    } else {
      writeValue(item);
    }
  }
}

/** Inserts the tags of integers. */
function tagInts(start, written) {
  for (let k = written - 1; k >= 0; k--) {
    words[start + 2 * k + 1] = words[start + k];
    words[start + 2 * k] = INT;
  }
  wordOffset = start + 2 * written;
}

function writeBuiltin(value, kind) {
  switch (kind) {
    case 'buffer': return writeBuffer(value);
    case 'typedarray': case 'dataview': return writeView(value, kind);
  }
  if (transfer.isMarkedUncloneable(value)) transfer.throwUncloneable();
  switch (kind) {
    case 'date':
      words[wordOffset++] = DATE;
      doubles[--doubleOffset] = apply(dateValue, value, []);
      return undefined;
    case 'regexp':
      words[wordOffset++] = REGEXP;
      writeCharacters(value.source);
      return writeCharacters(value.flags);
    case 'map': return writeEntries(MAP, [...apply(Map.prototype.entries, value, [])].flat());
    case 'set': return writeEntries(SET, [...apply(Set.prototype.values, value, [])]);
    case 'error': return writeError(value);
    case 'number': return writeBoxed(apply(Number.prototype.valueOf, value, []));
    case 'string': return writeBoxed(apply(String.prototype.valueOf, value, []));
    case 'boolean': return writeBoxed(apply(Boolean.prototype.valueOf, value, []));
    case 'bigint': return writeBoxed(apply(BigInt.prototype.valueOf, value, []));
    default:
      if (!isProcessEnv(value)) throw platformValues.dataCloneError(value);
      return writePlainObject(value);
  }
}

function writeEntries(tag, list) {
  words[wordOffset++] = tag;
  words[wordOffset++] = list.length;
  for (const member of list) writeValue(member);
}

function writeBoxed(value) {
  words[wordOffset++] = BOXED;
  writeValue(value);
}

function writeError(value) {
  const { isDOMException } = require('web/dom_exception');
  if (isDOMException(value)) {
    writePlatformObject(value);
    return;
  }
  const { type, flags, message, stack, hasCause } = platformValues.describeError(value);
  reserve(6);
  words[wordOffset++] = ERROR;
  words[wordOffset++] = type;
  words[wordOffset++] = flags;
  writeCharacters(message);
  writeCharacters(stack);
  if (hasCause) writeValue(value.cause);
}

function writeBuffer(value) {
  if (isSharedArrayBuffer(value)) {
    words[wordOffset++] = SHARED_BUFFER;
    words[wordOffset++] = attachmentIndex(platformValues.attachSharedArrayBuffer(value));
    return;
  }
  const index = platformValues.attachArrayBuffer(value);
  words[wordOffset++] = BUFFER;
  words[wordOffset++] = attachmentIndex(index);
  doubles[--doubleOffset] = platformValues.maxByteLengthOf(value);
}

/** A view is followed by its buffer. */
function writeView(value, kind) {
  const { type, buffer, byteOffset, length } = platformValues.describeView(value, kind);
  words[wordOffset++] = VIEW;
  words[wordOffset++] = type;
  doubles[--doubleOffset] = byteOffset;
  doubles[--doubleOffset] = length;
  writeValue(buffer);
}

function writePlatformObject(value) {
  const serialized = platformValues.serializePlatformObject(value);
  if (serialized === undefined) return writePlainObject(value);
  const { type, native, data } = serialized;
  reserve(3);
  words[wordOffset++] = HOST;
  words[wordOffset++] = type;
  words[wordOffset++] = native === undefined ? -1 : attachmentIndex(native);
  return writeValue(data);
}

function writeWebAssembly(value) {
  const [tag, index] = platformValues.attachWebAssembly(value);
  words[wordOffset++] = tag;
  words[wordOffset++] = attachmentIndex(index);
}

function beginPacket(transferList) {
  attachmentBase = attachmentCount;
  wordOffset = HEADER_WORDS;
  doubleOffset = doubles.length;
  characterCount = 0;
  isPoolUsed = false;
  stringPool = '';
  objectCount = 0;
  absentProperties = undefined;
  if (transferList.length === 0) return;
  transferIndexes = new Map(transferList.map((item, index) => [item, index]));
  reserve(transferList.length * TRANSFER_WORDS);
  wordOffset += transferList.length * TRANSFER_WORDS;
}

/** Writes an object of which some values were read already. */
function writePartlyRead(value, { shape, names, values }) {
  firstObject = value;
  objectCount = 1;
  reserve(2);
  words[wordOffset++] = SHAPED;
  words[wordOffset++] = shape;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (i < values.length ? values[i] === ABSENT : !hasOwn(value, name)) writeAbsent(0, name);
    else writeValue(i < values.length ? values[i] : value[name]);
  }
}

/**
 * Serializes a value, transfers the objects of `transferList`, and calls the binding's function
 * `use` with `target` and the buffer. If it throws, nothing was transferred. `partlyRead`: the
 * shape, names and first values of an object.
 */
function encode(value, transferList, isForOneReceiver, use, target, partlyRead = undefined) {
  if (isEncoding) return encodeNested(() => encode(value, transferList, isForOneReceiver, use, target, partlyRead));
  isEncoding = true;
  hasOneReceiver = isForOneReceiver;
  try {
    beginPacket(transferList);
    if (partlyRead === undefined) writeValue(value);
    else writePartlyRead(value, partlyRead);
    words[0] = transferList.length;
    words[1] = 0;
    words[2] = absentProperties === undefined ? 0 : writeAbsentProperties();
    if (transferList.length > 0) require('internal/messaging/send_transferables').transferToPacket(transferList, words, attachmentCount - attachmentBase);
    return use(target, bytes, wordOffset, doubles.length - doubleOffset, isPoolUsed ? stringPool : characterCount, attachmentBase, characters);
  } catch (thrown) {
    binding.truncateAttachments(attachmentBase);
    throw thrown;
  } finally {
    attachmentCount = attachmentBase;
    firstObject = objectIds = transferIndexes = undefined;
    stringPool = '';
    isEncoding = false;
    if (bytes.length > RETAINED_BYTES_MAX) resetBuffer();
  }
}

function writeAbsentProperties() {
  const start = wordOffset;
  reserve(absentProperties.length + 1);
  words[wordOffset++] = absentProperties.length / 2;
  for (let i = 0; i < absentProperties.length; i += 2) {
    words[wordOffset++] = absentProperties[i];
    writeCharacters(absentProperties[i + 1]);
  }
  return start;
}

function resetBuffer() {
  bytes = new Uint8Array(BUFFER_BYTES);
  words = new Int32Array(bytes.buffer);
  doubles = new Float64Array(bytes.buffer);
}

/** All strings so far, as one. */
function allStrings() { return isPoolUsed ? stringPool : apply(fromCharCode, undefined, characters.subarray(0, characterCount)); }

/** Serialization within another one: a getter of the value sends a message. */
function encodeNested(body) {
  const saved = { bytes, words, doubles, wordOffset, doubleOffset, stringPool: allStrings(), objectCount, firstObject, objectIds, transferIndexes, absentProperties, attachmentBase, hasOneReceiver };
  resetBuffer();
  firstObject = objectIds = transferIndexes = undefined;
  isEncoding = false;
  try {
    return body();
  } finally {
    ({ bytes, words, doubles, wordOffset, doubleOffset, stringPool, objectCount, firstObject, objectIds, transferIndexes, absentProperties, attachmentBase, hasOneReceiver } = saved);
    isEncoding = isPoolUsed = true;
  }
}

module.exports = { encode };
