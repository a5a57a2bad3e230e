// Packets of other threads become values. In: the arena as it was filled, a text with all strings.
// Out: a value, and the ports that moved along. Objects are numbered as they come, as the encoder
// numbered them. Absent: distrust; a packet was written by another thread of this program.
'use strict';

const { ARENA_HEADER, ERRORS, HEADER, TAGS, VIEWS, WORDS_OF_MOVED } = require('internal/messaging/tags');
const { receive } = require('internal/messaging/cloneable');
const { flatMakerOf, makerOf } = require('internal/messaging/object_shapes');
const natives = internalBinding('message_port');

const {
  UNDEFINED, NULL, TRUE, FALSE, INT, DOUBLE, STRING, LONG_STRING, BIGINT, REFERENCE, MOVED, OBJECT, SHAPED, ARRAY, INTS, DOUBLES, SPARSE, HOLE, DATE, REGEXP, MAP, SET,
  ERROR, BUFFER, SHARED, VIEW, BOXED, HOST, MODULE, FLAT, MEMORY,
} = TAGS;
const { defineProperty } = Object;
const HOLE_MARK = Symbol('hole');
const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
/** An array that is made with more room is one of another kind. */
const ROOM_MAX = 50_000;

let ints;
let doubles;
let at;
let low;
let pool;
let place;
let known;
let moved;
let sample;
let emptyMemory;

function read() {
  switch (ints[at++]) {
    case INT: return ints[at++];
    case STRING: return text(ints[at++]);
    case DOUBLE: return doubles[--low];
    case TRUE: return true;
    case FALSE: return false;
    case NULL: return null;
    case UNDEFINED: return undefined;
    case SHAPED: return makerOf(ints[at++])(read, known);
    case OBJECT: return members(keep({}), ints[at++]);
    case ARRAY: return array(ints[at++]);
    case INTS: return wholes(ints[at++]);
    case DOUBLES: return numbers(ints[at++]);
    case HOLE: return HOLE_MARK;
    case REFERENCE: return known[ints[at++]];
    case LONG_STRING: return natives.attachment(ints[at++]);
    case BIGINT: return bigint(text(ints[at++]));
    case MOVED: return moved[ints[at++]];
    default:
      at--;
      return rare();
  }
}

function text(length) {
  const start = place;
  place += length;
  return pool.substring(start, place);
}

function keep(object) {
  known.push(object);
  return object;
}

function bigint(digits) {
  return digits[0] === '-' ? -BigInt(`0x${digits.slice(1)}`) : BigInt(`0x${digits}`);
}

/** A setter of a prototype does not hear of it. */
function put(object, name, value) {
  if (name in object) defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

function members(object, length) {
  for (let i = 0; i < length; i++) put(object, text(ints[at++]), read());
  return object;
}

function array(length) {
  const list = keep([]);
  for (let i = 0; i < length; i++) {
    const item = read();
    if (item === HOLE_MARK) list.length = i + 1;
    else list[i] = item;
  }
  return list;
}

function wholes(length) {
  const list = keep(length < ROOM_MAX ? new Array(length) : []);
  const words = ints;
  const start = at;
  for (let i = 0; i < length; i++) list[i] = words[start + i];
  at = start + length;
  return list;
}

function numbers(length) {
  const list = keep(length < ROOM_MAX ? new Array(length) : []);
  const source = doubles;
  const last = low - 1;
  for (let i = 0; i < length; i++) list[i] = source[last - i];
  low -= length;
  return list;
}

function rare() {
  switch (ints[at++]) {
    case SPARSE: {
      const list = keep([]);
      list.length = doubles[--low];
      return members(list, ints[at++]);
    }
    case DATE: return keep(new Date(doubles[--low]));
    case REGEXP: {
      const source = text(ints[at++]);
      return keep(new RegExp(source, text(ints[at++])));
    }
    case MAP: return map(keep(new Map()));
    case SET: return set(keep(new Set()));
    case ERROR: return error();
    case BUFFER: return buffer();
    case SHARED: return keep(natives.attachment(ints[at++]));
    case MODULE: return keep(natives.module(ints[at++], sampleModule()));
    case MEMORY: return keep(natives.wasmMemory(ints[at++], sampleMemory()));
    case VIEW: return view();
    case BOXED: {
      const id = known.push(undefined) - 1;
      return known[id] = Object(read());
    }
    case HOST: {
      const id = known.push(undefined) - 1;
      const type = ints[at++];
      const index = ints[at++];
      const shared = index < 0 ? undefined : natives.attachment(index);
      return known[id] = receive(type, read(), shared);
    }
    default: throw new Error('a packet holds what is unknown here');
  }
}

function map(into) {
  for (let rest = ints[at++]; rest > 0; rest -= 2) into.set(read(), read());
  return into;
}

function set(into) {
  for (let rest = ints[at++]; rest > 0; rest--) into.add(read());
  return into;
}

function error() {
  const own = keep(new globalThis[ERRORS[ints[at++]]]());
  const has = ints[at++];
  const hidden = (key, value) => {
    defineProperty(own, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  };
  const message = text(ints[at++]);
  if (has & 1) hidden('message', message);
  const stack = text(ints[at++]);
  hidden('stack', has & 4 ? stack : undefined);
  if (has & 2) hidden('cause', read());
  return own;
}

function buffer() {
  const bytes = natives.attachment(ints[at++]);
  const maxByteLength = doubles[--low];
  return keep(maxByteLength < 0 ? bytes : require('internal/messaging/receive_transferables').resizable(bytes, maxByteLength));
}

/** Says to the engine where modules are to belong. */
function sampleModule() {
  sample ??= new globalThis.WebAssembly.Module(EMPTY_MODULE);
  return sample;
}

/** The same of memories. It stays empty. */
function sampleMemory() {
  emptyMemory ??= new globalThis.WebAssembly.Memory({ initial: 0 });
  return emptyMemory;
}

function view() {
  const id = known.push(undefined) - 1;
  const name = VIEWS[ints[at++]];
  const offset = doubles[--low];
  const length = doubles[--low];
  return known[id] = new globalThis[name](read(), offset, length < 0 ? undefined : length);
}

function removeAbsent(begun) {
  at = begun;
  for (let rest = ints[at++]; rest > 0; rest--) {
    const id = ints[at++];
    delete known[id][text(ints[at++])];
  }
}

const FLAT_AT = ARENA_HEADER + HEADER;

/**
 * Whether the arena holds an object of primitives alone, as ext/worker/src/message_port/flat.rs
 * writes it: nothing moved, nothing refers to another.
 */
const isFlat = (words) => words[FLAT_AT] === FLAT;

function decodeFlat(words, numbersOfArena, letters) {
  doubles = numbersOfArena;
  pool = letters;
  return flatMakerOf(words[FLAT_AT + 1])(words, member);
}

/** A member, by what it is and the word that stands for it. */
function member(tag, word) {
  switch (tag) {
    case INT: return word;
    case STRING: {
      const begin = word >> 16;
      return pool.substring(begin, begin + (word & 0xffff));
    }
    case TRUE: return true;
    case FALSE: return false;
    case NULL: return null;
    case DOUBLE: return doubles[doubles.length - 1 - word];
    default: return undefined;
  }
}

/** What the arena holds. No program runs meanwhile. */
function decode(words, numbersOfArena, given) {
  ints = words;
  doubles = numbersOfArena;
  at = ARENA_HEADER;
  low = doubles.length;
  pool = given ?? '';
  place = 0;
  known = [];
  const count = ints[at];
  const index = ints[at + 1];
  const absences = ints[at + 2];
  at += HEADER;
  try {
    const arrivals = count === 0 ? undefined : require('internal/messaging/receive_transferables');
    moved = arrivals?.revive(ints, at, count, index);
    at += count * WORDS_OF_MOVED;
    const value = read();
    if (absences !== 0) removeAbsent(absences + ARENA_HEADER);
    return count === 0 ? { value, ports: [] } : { value, ports: moved.filter(isPort), settle: arrivals.settle };
  } finally {
    known = moved = undefined;
    pool = '';
  }
}

function isPort(value) { return require('web/message_port').isPort(value); }

module.exports = { decode, decodeFlat, isFlat };
