// Values become packets for other threads: the structured clone algorithm, written into one arena
// that is used again and again. In: a value, what moves. Out: words at the arena's front, doubles
// at its end, one text with all strings, attachments that wait in the native half. Absent: what the
// tags mean (tags.js); sending.
'use strict';

const { TAGS, VIEWS, ERRORS, HEADER, WORDS_OF_MOVED } = require('internal/messaging/tags');
const transfer = require('internal/messaging/transfer');
const { kParts, hostIndex, isOwn } = require('internal/messaging/cloneable');
const { ABSENT, numberOf, readerOf } = require('internal/messaging/object_shapes');
const { namesUnlessItems } = require('internal/messaging/transfer_items');
const { kindOfAny, isSharedArrayBuffer } = require('internal/util/types');
const { followsBuffer, isEnvironment, isForeign, nameOf } = require('internal/serdes/refusals');
const natives = internalBinding('message_port');

const {
  UNDEFINED, NULL, TRUE, FALSE, INT, DOUBLE, STRING, LONG_STRING, BIGINT, REFERENCE, MOVED, OBJECT, SHAPED, ARRAY, INTS, DOUBLES, SPARSE, HOLE, DATE, REGEXP, MAP, SET,
  ERROR, BUFFER, SHARED, VIEW, BOXED, HOST, MODULE, MEMORY,
} = TAGS;
const { apply } = Reflect;
const { fromCharCode } = String;
const { keys: keysOf, hasOwn } = Object;
const { isArray } = Array;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const dateValue = Date.prototype.getTime;
const tagOfView = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const isResizable = getter(ArrayBuffer.prototype, 'resizable');
const maxLength = getter(ArrayBuffer.prototype, 'maxByteLength');

const ARENA_BYTES = 64 * 1024;
/** A larger one is not kept. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;
/** Room that every value finds: words, and doubles. */
const ROOM = 32;
/** So many characters of a text, and of a string in it, are copied one by one. */
const LETTERS_MAX = 256;
const SHORT_MAX = 32;
/** Longer strings are lent one by one. */
const STRING_UNITS_MAX = 4096;

let bytes = new Uint8Array(ARENA_BYTES);
let ints = new Int32Array(bytes.buffer);
let doubles = new Float64Array(bytes.buffer);
let at = 0;
let low = doubles.length;
/**
 * The text is in `letters`, or, when it has grown or has a letter above U+00FF, in `pool`: a few
 * characters are copied in less time than pieces are put together.
 */
const letters = new Uint8Array(LETTERS_MAX);
let placed = 0;
let isPooled = false;
let pool = '';
let count = 0;
let first;
let seen;
let moving;
let absences;
/**
 * Where the attachments of this packet begin among those that wait in the native half, and how many
 * wait.
 */
let base = 0;
let pending = 0;
/** Whether strings may be lent: to one receiver they may. */
let isForOne = true;
let isBusy = false;

function grow(words) {
  const needed = (at + words) * 4 + (doubles.length - low) * 8;
  const grown = new Uint8Array(Math.ceil(Math.max(bytes.length * 2, needed + ROOM * 8) / 8) * 8);
  grown.set(bytes.subarray(0, at * 4));
  const used = doubles.length - low;
  grown.set(bytes.subarray(low * 8), grown.length - used * 8);
  bytes = grown;
  ints = new Int32Array(grown.buffer);
  doubles = new Float64Array(grown.buffer);
  low = doubles.length - used;
}

/** Room for so many words; a double is two. */
function reserve(words) {
  if (low * 2 - at < words + ROOM) grow(words + ROOM);
}

function write(value) {
  if (low * 2 - at < ROOM) grow(ROOM);
  switch (typeof value) {
    case 'number': return number(value);
    case 'string': return string(value);
    case 'boolean':
      ints[at++] = value ? TRUE : FALSE;
      return undefined;
    case 'undefined':
      ints[at++] = UNDEFINED;
      return undefined;
    case 'object':
      if (value !== null) return object(value);
      ints[at++] = NULL;
      return undefined;
    case 'bigint': {
      ints[at++] = BIGINT;
      return text(value.toString(16));
    }
    default: throw refused(value);
  }
}

function number(value) {
  if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
    ints[at++] = INT;
    ints[at++] = value;
  } else {
    ints[at++] = DOUBLE;
    doubles[--low] = value;
  }
}

function string(value) {
  const { length } = value;
  if (length > STRING_UNITS_MAX) {
    ints[at++] = LONG_STRING;
    ints[at++] = attached(isForOne ? natives.attachText(value) : natives.attachOwnText(value));
    return;
  }
  ints[at++] = STRING;
  text(value);
}

/** A string without a tag, of any length. */
function text(value) {
  const { length } = value;
  ints[at++] = length;
  if (!isPooled) {
    if (length <= SHORT_MAX && placed + length <= LETTERS_MAX && place(value, length)) return;
    pool = fullPool();
    isPooled = true;
  }
  pool += value;
}

/** False: a letter is no byte. */
function place(value, length) {
  let all = 0;
  for (let i = 0; i < length; i++) all |= letters[placed + i] = value.charCodeAt(i);
  if (all > 0xff) return false;
  placed += length;
  return true;
}

/** The number of an attachment within its packet. */
function attached(index) {
  pending = index + 1;
  return index - base;
}

function refused(value) {
  return transfer.refuse(`${nameOf(value)} could not be cloned.`);
}

function object(value) {
  if (count !== 0) {
    seen ??= new Map([[first, 0]]);
    const known = seen.get(value);
    if (known !== undefined) {
      ints[at++] = REFERENCE;
      ints[at++] = known;
      return undefined;
    }
    const place = moving?.get(value);
    if (place !== undefined) return moved(place);
    seen.set(value, count);
  } else {
    const place = moving?.get(value);
    if (place !== undefined) return moved(place);
    first = value;
  }
  count++;
  const kind = kindOfAny(value);
  if (kind === 'other') {
    if (transfer.isMarked(value)) transfer.refuseMarked();
    if (isArray(value)) return array(value);
    if (isOwn(value)) return host(value);
    if (isForeign(value)) return compiled(value);
    return plain(value);
  }
  return ofKind(value, kind);
}

function moved(place) {
  ints[at++] = MOVED;
  ints[at++] = place;
}

function plain(value) {
  const id = count - 1;
  const names = keysOf(value);
  const { length } = names;
  const shape = numberOf(names);
  reserve(length + 2);
  if (shape < 0) {
    ints[at++] = OBJECT;
    ints[at++] = length;
    members(value, names, id);
    return;
  }
  ints[at++] = SHAPED;
  ints[at++] = shape;
  readerOf(shape, names)(value, write, absent, id);
}

function members(value, names, id) {
  const { length } = names;
  for (let i = 0; i < length; i++) {
    const name = names[i];
    reserve(1);
    text(name);
    if (i === 0 || hasOwn(value, name)) write(value[name]);
    else absent(id, name);
  }
}

/** A getter took it away meanwhile: the receiver takes it away at the end. */
function absent(id, name) {
  reserve(1);
  ints[at++] = UNDEFINED;
  (absences ??= []).push(id, name);
}

function array(value) {
  const id = count - 1;
  const { length } = value;
  const names = namesUnlessItems(value, length);
  if (names === undefined) return items(value, length);
  reserve(4);
  ints[at++] = SPARSE;
  doubles[--low] = length;
  ints[at++] = names.length;
  return members(value, names, id);
}

function items(value, length) {
  // As words, or as doubles after all, with their tags.
  reserve(length * 3 + 2);
  const start = at;
  const words = ints;
  let i = 0;
  let item;
  for (; i < length; i++) {
    item = value[i];
    if (typeof item !== 'number' || (item | 0) !== item || (item === 0 && 1 / item < 0)) break;
    words[start + 2 + i] = item;
  }
  at = start + 2 + i;
  ints[start + 1] = length;
  if (i === length) {
    ints[start] = INTS;
    return;
  }
  if (typeof item === 'number') {
    // What was written as words goes to where doubles stand.
    for (let k = 0; k < i; k++) doubles[low - 1 - k] = ints[start + 2 + k];
    at = start + 2;
    low -= i;
    const target = doubles;
    const last = low - 1 + i;
    while (typeof item === 'number') {
      target[last - i] = item;
      if (++i === length) {
        low = last - i + 1;
        ints[start] = DOUBLES;
        return;
      }
      item = value[i];
    }
    low = last - i + 1;
    for (let k = 0; k < i; k++) ints[at++] = DOUBLE;
  } else {
    mixInts(start + 2, i);
  }
  ints[start] = ARRAY;
  for (; i < length; item = value[++i]) {
    if (item === undefined && !(i in value)) {
      reserve(1);
      ints[at++] = HOLE;
    } else {
      write(item);
    }
  }
}

/** Words without tags get theirs. */
function mixInts(start, written) {
  for (let k = written - 1; k >= 0; k--) {
    ints[start + 2 * k + 1] = ints[start + k];
    ints[start + 2 * k] = INT;
  }
  at = start + 2 * written;
}

function ofKind(value, kind) {
  switch (kind) {
    case 'buffer': return buffer(value);
    case 'typedarray': case 'dataview': return view(value, kind);
  }
  if (transfer.isMarked(value)) transfer.refuseMarked();
  switch (kind) {
    case 'date':
      ints[at++] = DATE;
      doubles[--low] = apply(dateValue, value, []);
      return undefined;
    case 'regexp':
      ints[at++] = REGEXP;
      text(value.source);
      return text(value.flags);
    case 'map': return entries(MAP, [...apply(Map.prototype.entries, value, [])].flat());
    case 'set': return entries(SET, [...apply(Set.prototype.values, value, [])]);
    case 'error': return error(value);
    case 'number': return boxed(apply(Number.prototype.valueOf, value, []));
    case 'string': return boxed(apply(String.prototype.valueOf, value, []));
    case 'boolean': return boxed(apply(Boolean.prototype.valueOf, value, []));
    case 'bigint': return boxed(apply(BigInt.prototype.valueOf, value, []));
    default:
      if (!isEnvironment(value)) throw refused(value);
      return plain(value);
  }
}

function entries(tag, list) {
  ints[at++] = tag;
  ints[at++] = list.length;
  for (const member of list) write(member);
}

function boxed(value) {
  ints[at++] = BOXED;
  write(value);
}

function error(value) {
  const { isDOMException } = require('web/dom_exception');
  if (isDOMException(value)) {
    host(value);
    return;
  }
  const known = ERRORS.indexOf(`${value.name}`);
  const message = Object.getOwnPropertyDescriptor(value, 'message');
  const hasMessage = message !== undefined && 'value' in message;
  const hasCause = hasOwn(value, 'cause');
  const { stack } = value;
  const hasStack = typeof stack === 'string';
  const shown = hasMessage ? `${message.value}` : '';
  reserve(6);
  ints[at++] = ERROR;
  ints[at++] = known < 0 ? 0 : known;
  ints[at++] = (hasMessage ? 1 : 0) | (hasCause ? 2 : 0) | (hasStack ? 4 : 0);
  text(shown);
  text(hasStack ? stack : '');
  if (hasCause) write(value.cause);
}

function buffer(value) {
  if (isSharedArrayBuffer(value)) {
    ints[at++] = SHARED;
    ints[at++] = attached(shared(value));
    return;
  }
  if (apply(isDetached, value, [])) throw transfer.refuse('An ArrayBuffer is detached and could not be cloned.');
  ints[at++] = BUFFER;
  ints[at++] = attached(natives.attachBytes(new Uint8Array(value)));
  doubles[--low] = apply(isResizable, value, []) ? apply(maxLength, value, []) : -1;
}

function shared(value) {
  const index = natives.attachShared?.(value);
  if (index === undefined) throw transfer.refuse('A SharedArrayBuffer cannot be shared with another thread by this release of the engine.');
  return index;
}

/** Its buffer stands behind it. */
function view(value, kind) {
  const name = kind === 'dataview' ? 'DataView' : apply(tagOfView, value, []);
  const { buffer: whole, byteOffset } = value;
  const isGrowing = isSharedArrayBuffer(whole) ? whole.growable : apply(isResizable, whole, []);
  const isTracking = isGrowing && !isSharedArrayBuffer(whole) && followsBuffer(value);
  ints[at++] = VIEW;
  ints[at++] = VIEWS.indexOf(name);
  doubles[--low] = byteOffset;
  doubles[--low] = isTracking ? -1 : kind === 'dataview' ? value.byteLength : value.length;
  write(whole);
}

/** What is not JavaScript's own, and says itself what it consists of. */
function host(value) {
  const partsOf = value[kParts] ?? require('internal/messaging/cloneable').partsOf(value);
  if (typeof partsOf !== 'function') throw transfer.refuse('Object that needs transfer was found in message but not listed in transferList');
  const given = apply(partsOf, value, []);
  if (given === undefined) return plain(value);
  const { type, parts, shared } = given;
  reserve(3);
  ints[at++] = HOST;
  ints[at++] = hostIndex(type);
  ints[at++] = shared === undefined ? -1 : attached(natives.attachNative(shared));
  return write(parts);
}

/**
 * Compiled WebAssembly, and its memory where that is shared; whatever else of the engine's looks
 * plain is refused.
 */
function compiled(value) {
  const memory = require('internal/modules/webassembly').sharedMemoryOf(value);
  const index = memory === undefined ? natives.attachModule(value) : shared(memory);
  if (index === undefined) throw refused(value);
  ints[at++] = memory === undefined ? MODULE : MEMORY;
  ints[at++] = attached(index);
}

function begin(list) {
  base = pending;
  at = HEADER;
  low = doubles.length;
  placed = 0;
  isPooled = false;
  pool = '';
  count = 0;
  absences = undefined;
  if (list.length === 0) return;
  moving = new Map(list.map((item, index) => [item, index]));
  reserve(list.length * WORDS_OF_MOVED);
  at += list.length * WORDS_OF_MOVED;
}

/** The rest of an object of which some values were read. */
function resume(value, { shape, names, values }) {
  first = value;
  count = 1;
  reserve(2);
  ints[at++] = SHAPED;
  ints[at++] = shape;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (i < values.length ? values[i] === ABSENT : !hasOwn(value, name)) absent(0, name);
    else write(i < values.length ? values[i] : value[name]);
  }
}

/**
 * Writes a value and moves what of `list` goes along; the native `use` gets the arena, while the
 * words are in it, and before it `target`. Where it throws, nothing has moved. `begun`: of an
 * object that was read in part.
 */
function encode(value, list, isForOneReceiver, use, target, begun = undefined) {
  if (isBusy) return nested(() => encode(value, list, isForOneReceiver, use, target, begun));
  isBusy = true;
  isForOne = isForOneReceiver;
  try {
    begin(list);
    if (begun === undefined) write(value);
    else resume(value, begun);
    ints[0] = list.length;
    ints[1] = 0;
    ints[2] = absences === undefined ? 0 : writeAbsences();
    if (list.length > 0) require('internal/messaging/send_transferables').move(list, ints, pending - base);
    return use(target, bytes, at, doubles.length - low, isPooled ? pool : placed, base, letters);
  } catch (thrown) {
    natives.pendingCut(base);
    throw thrown;
  } finally {
    pending = base;
    first = seen = moving = undefined;
    pool = '';
    isBusy = false;
    if (bytes.length > KEPT_BYTES_MAX) replaceArena();
  }
}

function writeAbsences() {
  const begun = at;
  reserve(absences.length + 1);
  ints[at++] = absences.length / 2;
  for (let i = 0; i < absences.length; i += 2) {
    ints[at++] = absences[i];
    text(absences[i + 1]);
  }
  return begun;
}

function replaceArena() {
  bytes = new Uint8Array(ARENA_BYTES);
  ints = new Int32Array(bytes.buffer);
  doubles = new Float64Array(bytes.buffer);
}

/** The whole text so far as one string. */
function fullPool() { return isPooled ? pool : apply(fromCharCode, undefined, letters.subarray(0, placed)); }

/** A getter of a value that is being sent sends one itself. */
function nested(body) {
  const kept = { bytes, ints, doubles, at, low, pool: fullPool(), count, first, seen, moving, absences, base, isForOne };
  replaceArena();
  first = seen = moving = undefined;
  isBusy = false;
  try {
    return body();
  } finally {
    ({ bytes, ints, doubles, at, low, pool, count, first, seen, moving, absences, base, isForOne } = kept);
    isBusy = isPooled = true;
  }
}

module.exports = { encode };
