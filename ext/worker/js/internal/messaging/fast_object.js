// Objects whose names were sent often and whose values are primitives: each goes to another thread
// in one call, as it is read. In: a native port, an object. Out: whether it was sent. What is
// another object, or turns out to hold one, the encoder writes. Absent: how the values are written
// (ext/worker/src/message_port/flat.rs).
'use strict';

const { isMarked } = require('internal/messaging/transfer');
const { isOwn } = require('internal/messaging/cloneable');
const { numberOf, senderOf } = require('internal/messaging/object_shapes');
const { encode } = require('internal/messaging/encoder');
const { kindOfAny } = require('internal/util/types');
const { isForeign } = require('internal/serdes/refusals');
const { send } = internalBinding('message_port');

const { keys: keysOf } = Object;
const { isArray } = Array;
const NOTHING = Object.freeze([]);
/** An object of a shape that held another object so often is not tried. */
const REFUSED_MAX = 8;
const refused = [];

function sendObject(port, value) {
  if (!isPlain(value)) return encode(value, NOTHING, true, send, port);
  const names = keysOf(value);
  const shape = numberOf(names, false);
  if (shape < 0 || refused[shape] === REFUSED_MAX) return encode(value, NOTHING, true, send, port);
  const sent = senderOf(shape, names)(value, port);
  if (typeof sent === 'boolean') return sent;
  refused[shape] = (refused[shape] ?? 0) + 1;
  return encode(value, NOTHING, true, send, port, { shape, names, values: sent });
}

function isPlain(value) {
  return kindOfAny(value) === 'other' && !isArray(value) && !isMarked(value) && !isOwn(value) && !isForeign(value);
}

module.exports = { sendObject };
