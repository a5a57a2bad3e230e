// Messages to other threads. In: a value and what moves along; a native port. Out: a packet sent; a
// packet taken and read. `pack` and `unpack` are for a thread that is begun with a message. Absent:
// who is told (channel.js), what the packets hold (encoder.js, decoder.js).
'use strict';

const natives = internalBinding('message_port');

const { kind: { STRING, DEFERRED_STRING, TOO_SMALL } } = natives;
const ARENA_BYTES = 64 * 1024;
const KEPT_BYTES_MAX = 4 * 1024 * 1024;
const NOTHING = Object.freeze([]);

// Read when they are first needed.
let encoder;
let flat;
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

/**
 * What is in `bytes`, and what the native half answered: { value, ports }, where the value of a
 * long text is a HeldText; undefined: there was no packet.
 */
function opened(answer, decode = undefined) {
  const kind = words[0];
  words[0] = 0;
  switch (kind) {
    case 0: return undefined;
    case STRING: return { value: answer, ports: NOTHING };
    case DEFERRED_STRING: return { value: new HeldText(answer), ports: NOTHING };
    case TOO_SMALL: return openedInRoom(decode);
  }
  decoder ??= require('internal/messaging/decoder');
  if (decode === undefined && decoder.isFlat(words)) return { value: decoder.decodeFlat(words, doubles, answer), ports: NOTHING };
  const packet = (decode ?? decoder.decode)(words, doubles, answer);
  packet.settle?.();
  return packet;
}

/** The same of a packet that is larger than the arena was. */
function openedInRoom(decode) {
  makeArena(words[1]);
  try {
    return opened(natives.again(bytes), decode);
  } finally {
    if (bytes.length > KEPT_BYTES_MAX) makeArena(ARENA_BYTES);
  }
}

function send(port, value, list) {
  if (typeof value === 'object' && value !== null && list.length === 0) {
    flat ??= require('internal/messaging/fast_object');
    return flat.sendObject(port, value);
  }
  encoder ??= require('internal/messaging/encoder');
  return encoder.encode(value, list, true, natives.send, port);
}

const take = (port) => opened(natives.take(port, bytes));

/** To all others of a name. */
function sendAll(member, value) {
  return require('internal/messaging/encoder').encode(value, [], false, natives.sendAll, member);
}

const takeFrom = (member) => opened(natives.takeFrom(member, bytes));

/** What a thread is begun with. What of `list` moves has moved. */
function pack(value, list = [], source = undefined) {
  require('internal/messaging/transfer').check(list, source);
  return require('internal/messaging/encoder').encode(value, list, true, natives.parcel, undefined);
}

/** { value, ports } of a parcel, once. `decode`: another context's. */
const unpack = (parcel, decode) => opened(natives.openParcel(parcel, bytes), decode);

module.exports = { HeldText, pack, send, sendAll, take, takeFrom, unpack };
