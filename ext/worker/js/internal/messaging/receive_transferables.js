// Transferred objects of a packet, at the receiver; send_transferables.js is the sender's side. In:
// the kinds in the packet, attachments. Out: the objects, in the order of the transfer list.
'use strict';

const { TRANSFER_KIND } = require('internal/messaging/tags');
const binding = internalBinding('message_port');

const { TRANSFER_WORDS } = binding.layout;

let pendingSettle;

/** `offset`: of the first kind in `words`; `index`: of the first attachment. */
function receiveTransferred(words, offset, count, index) {
  const list = [];
  let next = index;
  const nextAttachment = () => binding.takeAttachment(next++);
  for (let i = 0; i < count; i++, offset += TRANSFER_WORDS) {
    const maxByteLength = words[offset + 1] + words[offset + 2] * 2 ** 31;
    list.push(receiveOne(words[offset], nextAttachment, maxByteLength));
  }
  return list;
}

function receiveOne(kind, nextAttachment, maxByteLength) {
  switch (kind) {
    case TRANSFER_KIND.BUFFER: return nextAttachment();
    case TRANSFER_KIND.RESIZABLE: return toResizable(nextAttachment(), maxByteLength);
    case TRANSFER_KIND.PORT: return require('web/message_port').fromNative(nextAttachment());
    case TRANSFER_KIND.FILE: return require('internal/fs/file_handle').deserialize({ fd: nextAttachment() });
    case TRANSFER_KIND.SIGNAL: return receiveSignal(nextAttachment());
    default: return receiveStream(kind, nextAttachment);
  }
}

function receiveSignal(port) {
  const { fromNative, settle } = require('web/transferable_abort_signal');
  pendingSettle = settle;
  return fromNative(port);
}

/** Work that must wait until the message is decoded: it uses the receive buffer. */
function settle() {
  const call = pendingSettle;
  pendingSettle = undefined;
  call?.();
}

/** Makes a copied buffer resizable. */
function toResizable(buffer, maxByteLength) {
  if (buffer.resizable) return buffer;
  const copy = new ArrayBuffer(buffer.byteLength, { maxByteLength });
  new Uint8Array(copy).set(new Uint8Array(buffer));
  return copy;
}

function receiveStream(kind, nextAttachment) {
  const { ChannelEnd } = require('internal/messaging/channel');
  const { receiveTransferred: receiveSides } = require('web/streams/cross_realm_transform');
  const end = () => ChannelEnd.fromNative(nextAttachment());
  switch (kind) {
    case TRANSFER_KIND.READABLE: return receiveSides({ readable: end() });
    case TRANSFER_KIND.WRITABLE: return receiveSides({ writable: end() });
    case TRANSFER_KIND.TRANSFORM: return receiveSides({ readable: end(), writable: end() });
    default: throw new Error('unknown kind of a transferred object');
  }
}

module.exports = { receiveTransferred, settle, toResizable };
