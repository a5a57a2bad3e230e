// Packets: messages to and from other threads. In: a value and a transfer list; a native port. Out:
// a sent packet; a received and decoded one. `serialize` and `deserialize` are for the startup
// packet of a worker. Absent: events (channel.js); the format (encoder.js, decoder.js).
'use strict';

const binding = internalBinding('message_port');

const { kind: { STRING, DEFERRED_STRING, TOO_SMALL } } = binding;
const BUFFER_BYTES = 64 * 1024;
const RETAINED_BYTES_MAX = 4 * 1024 * 1024;
const NOTHING = Object.freeze([]);

// Loaded at the first use.
let encoder;
let fastObject;
let decoder;
let bytes;
let words;
let doubles;

function allocateBuffer(size) {
  bytes = new Uint8Array(Math.ceil(size / 8) * 8);
  words = new Int32Array(bytes.buffer);
  doubles = new Float64Array(bytes.buffer);
}

allocateBuffer(BUFFER_BYTES);

/** A long string message, created when the program first reads it. */
class DeferredString {
  #handle;
  #value;

  constructor(handle) { this.#handle = handle; }

  get value() {
    if (this.#handle !== undefined) {
      this.#value = binding.deferredString(this.#handle);
      this.#handle = undefined;
    }
    return this.#value;
  }
}

/**
 * Decodes the receive buffer and the binding's result: { value, ports }, where a long string is a
 * DeferredString; undefined: there was no packet.
 */
function readPacket(result, decode = undefined) {
  const kind = words[0];
  words[0] = 0;
  switch (kind) {
    case 0: return undefined;
    case STRING: return { value: result, ports: NOTHING };
    case DEFERRED_STRING: return { value: new DeferredString(result), ports: NOTHING };
    case TOO_SMALL: return readOversized(decode);
  }
  decoder ??= require('internal/messaging/decoder');
  if (decode === undefined && decoder.isFastObject(words)) return { value: decoder.decodeFastObject(words, doubles, result), ports: NOTHING };
  const packet = (decode ?? decoder.decode)(words, doubles, result);
  packet.settle?.();
  return packet;
}

/** The same for a packet larger than the buffer. */
function readOversized(decode) {
  allocateBuffer(words[1]);
  try {
    return readPacket(binding.receiveOversized(bytes), decode);
  } finally {
    if (bytes.length > RETAINED_BYTES_MAX) allocateBuffer(BUFFER_BYTES);
  }
}

function send(port, value, transferList) {
  if (typeof value === 'object' && value !== null && transferList.length === 0) {
    fastObject ??= require('internal/messaging/fast_object');
    return fastObject.sendObject(port, value);
  }
  encoder ??= require('internal/messaging/encoder');
  return encoder.encode(value, transferList, true, binding.send, port);
}

const receive = (port) => readPacket(binding.receive(port, bytes));

/** Sends to all other members of a name. */
function broadcast(member, value) {
  return require('internal/messaging/encoder').encode(value, [], false, binding.broadcast, member);
}

const receiveBroadcast = (member) => readPacket(binding.receiveBroadcast(member, bytes));

/** A packet object of a value; the objects of `transferList` are transferred. */
function serialize(value, transferList = [], source = undefined) {
  require('internal/messaging/transfer').validateTransferList(transferList, source);
  return require('internal/messaging/encoder').encode(value, transferList, true, binding.createPacket, undefined);
}

/** { value, ports } of a packet object, once. `decode`: the decoder of another context. */
const deserialize = (packet, decode) => readPacket(binding.receivePacket(packet, bytes), decode);

module.exports = { DeferredString, broadcast, deserialize, receive, receiveBroadcast, send, serialize };
