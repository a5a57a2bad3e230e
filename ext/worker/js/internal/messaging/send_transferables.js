// Transfer of objects with a packet, at the sender. In: a validated transfer list, the packet's
// words. Out: attachments, in the order of the list; the objects are detached. Everything is
// checked before the first object is detached.
'use strict';

const { TRANSFER_KIND } = require('internal/messaging/tags');
const { revalidate, isArrayBuffer, kTransferToThread, dataCloneError } = require('internal/messaging/transfer');
const binding = internalBinding('message_port');

const { HEADER_WORDS, TRANSFER_WORDS } = binding.layout;

/** `firstAttachment`: the number of attachments so far. */
function transferToPacket(transferList, words, firstAttachment) {
  // Serialization may have run code of the program.
  for (const item of transferList) revalidate(item);
  for (const item of transferList) {
    if (!isArrayBuffer(item) && typeof item[kTransferToThread] !== 'function') {
      throw dataCloneError(`${item.constructor?.name ?? 'Object'} cannot be transferred to another thread.`);
    }
  }
  words[1] = firstAttachment;
  let offset = HEADER_WORDS;
  for (const item of transferList) {
    const [kind, maxByteLength] = isArrayBuffer(item) ? transferBuffer(item) : transferPlatformObject(item);
    words[offset] = kind;
    words[offset + 1] = maxByteLength % 2 ** 31;
    words[offset + 2] = Math.floor(maxByteLength / 2 ** 31);
    offset += TRANSFER_WORDS;
  }
}

function transferBuffer(buffer) {
  const { resizable: isGrowing, maxByteLength } = buffer;
  if (binding.attachMemory?.(buffer) === undefined) binding.attachBytes(new Uint8Array(buffer.transfer()));
  return [isGrowing ? TRANSFER_KIND.RESIZABLE : TRANSFER_KIND.BUFFER, isGrowing ? maxByteLength : 0];
}

function transferPlatformObject(object) {
  const data = object[kTransferToThread]();
  if (data.fd !== undefined) {
    binding.attachFd(data.fd);
    return [TRANSFER_KIND.FILE, 0];
  }
  const { kind, ports } = data;
  for (const port of ports) binding.attachPort(port);
  return [TRANSFER_KIND[kind], 0];
}

module.exports = { transferToPacket };
