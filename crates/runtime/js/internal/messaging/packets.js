// Messages to other threads. In: a value and what moves along; a native port. Out: a packet sent; a packet taken and read. `pack` and `unpack` are for a thread that is begun with a
// message. Absent: who is told (channel.js), what the packets hold (encoder.js, decoder.js).
'use strict';

const natives = native('messages');

// What the arena says first: src/natives/messages/opened.rs has the same numbers.
const TEXT = 1;
const HELD = 2;
const ROOM = 4;
const ARENA_BYTES = 64 * 1024;
const KEPT_BYTES_MAX = 4 * 1024 * 1024;

// Read when they are first needed.
let encoder;
let decoder;
let bytes;
let words;
let doubles;

function makeArena(size) {
  bytes = new Uint8Array(Math.ceil(size / 8) * 8);
  words = new Int32Array(bytes.buffer);
  doubles = new Float64Array(bytes.buffer);
}

makeArena(ARENA_BYTES);

/** A text that is made when it is asked for: the receiver of a long one may not want it. */
class HeldText {
  #handle;
  #text;

  constructor(handle) { this.#handle = handle; }

  get text() {
    if (this.#handle !== undefined) {
      this.#text = natives.heldText(this.#handle);
      this.#handle = undefined;
    }
    return this.#text;
  }
}

/** { value, ports }, where the value of a long text is a HeldText; undefined: there was no packet. */
function opened(given, decode = undefined) {
  let answer = given(bytes);
  switch (words[0]) {
    case 0: return undefined;
    case TEXT: return done({ value: answer, ports: [] });
    case HELD: return done({ value: new HeldText(answer), ports: [] });
    case ROOM:
      makeArena(words[1]);
      answer = natives.again(bytes);
  }
  try {
    decoder ??= require('internal/messaging/decoder');
    return (decode ?? decoder.decode)(words, doubles, answer);
  } finally {
    done();
  }
}

function done(packet) {
  words[0] = 0;
  if (bytes.length > KEPT_BYTES_MAX) makeArena(ARENA_BYTES);
  return packet;
}

function send(port, value, list) {
  if (typeof value === 'string' && list.length === 0) return natives.sendText(port, value);
  encoder ??= require('internal/messaging/encoder');
  return encoder.encode(value, list, true, (arena, ints, numbers, text, base) => natives.send(port, arena, ints, numbers, text, base));
}

const take = (port) => opened((arena) => natives.take(port, arena));

/** To all others of a name. */
function sendAll(member, value) {
  const { encode } = require('internal/messaging/encoder');
  return encode(value, [], false, (arena, ints, numbers, text, base) => natives.sendAll(member, arena, ints, numbers, text, base));
}

const takeFrom = (member) => opened((arena) => natives.takeFrom(member, arena));

/** What a thread is begun with. What of `list` moves has moved. */
function pack(value, list = [], source = undefined) {
  require('internal/messaging/transfer').check(list, source);
  const { encode } = require('internal/messaging/encoder');
  return encode(value, list, true, (arena, ints, numbers, text, base) => natives.parcel(arena, ints, numbers, text, base));
}

/** { value, ports } of a parcel, once. `decode`: another context's. */
const unpack = (parcel, decode) => opened((arena) => natives.openParcel(parcel, arena), decode);

module.exports = { HeldText, pack, send, sendAll, take, takeFrom, unpack };
