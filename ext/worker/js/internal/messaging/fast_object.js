// Fast path of `postMessage` to another thread, for objects of a known shape with primitive members
// only: one call of the binding. In: a native port, an object. Out: whether it was sent. Other
// objects go to the encoder. Absent: the packet's format (src/message_port/fast_object.rs).
'use strict';

const { isMarkedUncloneable } = require('internal/messaging/transfer');
const { isPlatformObject } = require('internal/messaging/cloneable');
const { shapeOf, fastSender } = require('internal/messaging/object_shapes');
const { encode } = require('internal/messaging/encoder');
const { kindOfAny } = require('internal/util/types');
const { isEngineObject } = require('internal/serdes/uncloneable');
const { send } = internalBinding('message_port');

const { keys: keysOf } = Object;
const { isArray } = Array;
const NOTHING = Object.freeze([]);
/** After this many failures of a shape, the fast path is not tried again. */
const FAILURES_MAX = 8;
const failures = [];

function sendObject(port, value) {
  if (!isPlainObject(value)) return encode(value, NOTHING, true, send, port);
  const names = keysOf(value);
  const shape = shapeOf(names, false);
  if (shape < 0 || failures[shape] === FAILURES_MAX) return encode(value, NOTHING, true, send, port);
  const sent = fastSender(shape, names)(value, port);
  if (typeof sent === 'boolean') return sent;
  failures[shape] = (failures[shape] ?? 0) + 1;
  return encode(value, NOTHING, true, send, port, { shape, names, values: sent });
}

function isPlainObject(value) {
  return kindOfAny(value) === 'other' && !isArray(value) && !isMarkedUncloneable(value) && !isPlatformObject(value) && !isEngineObject(value);
}

module.exports = { sendObject };
