// What moved along with a packet, at the receiver; send_transferables.js is the other side. In: the
// words that say what each of it is, attachments. Out: the objects, in the order of the sender's
// list.
'use strict';

const { MOVED, WORDS_OF_MOVED } = require('internal/messaging/tags');
const natives = internalBinding('message_port');

let unsettled;

/** `at`: where the words begin; `index`: which attachment is the first. */
function revive(ints, at, count, index) {
  const list = [];
  let next = index;
  const attachment = () => natives.attachment(next++);
  for (let i = 0; i < count; i++, at += WORDS_OF_MOVED) {
    const maxByteLength = ints[at + 1] + ints[at + 2] * 2 ** 31;
    list.push(one(ints[at], attachment, maxByteLength));
  }
  return list;
}

function one(kind, attachment, maxByteLength) {
  switch (kind) {
    case MOVED.BUFFER: return attachment();
    case MOVED.RESIZABLE: return resizable(attachment(), maxByteLength);
    case MOVED.PORT: return require('web/message_port').ofHandle(attachment());
    case MOVED.FILE: return require('internal/fs/file_handle').deserialize({ fd: attachment() });
    case MOVED.SIGNAL: return signal(attachment());
    default: return stream(kind, attachment);
  }
}

function signal(port) {
  const { ofHandle, settle } = require('web/transferable_abort_signal');
  unsettled = settle;
  return ofHandle(port);
}

/** What can be done only when the message was read: that needs the arena. */
function settle() {
  const call = unsettled;
  unsettled = undefined;
  call?.();
}

/** Of a buffer that came as bytes alone. */
function resizable(given, maxByteLength) {
  if (given.resizable) return given;
  const grown = new ArrayBuffer(given.byteLength, { maxByteLength });
  new Uint8Array(grown).set(new Uint8Array(given));
  return grown;
}

function stream(kind, attachment) {
  const { End } = require('internal/messaging/channel');
  const { receiveTransferred } = require('web/streams/cross_realm_transform');
  const end = () => End.ofHandle(attachment());
  switch (kind) {
    case MOVED.READABLE: return receiveTransferred({ readable: end() });
    case MOVED.WRITABLE: return receiveTransferred({ writable: end() });
    case MOVED.TRANSFORM: return receiveTransferred({ readable: end(), writable: end() });
    default: throw new Error('a packet brings what is unknown here');
  }
}

module.exports = { resizable, revive, settle };
