// What moves along with a packet. In: a list that was checked, and the words where it is to be
// said. Out: attachments, in the list's order; the objects are empty. Whatever could be refused is
// refused before the first one moves.
'use strict';

const { HEADER, MOVED, WORDS_OF_MOVED } = require('internal/messaging/tags');
const { checkAgain, isBuffer, kSend, refuse } = require('internal/messaging/transfer');
const natives = internalBinding('message_port');

/** `first`: how many attachments the packet has already. */
function move(list, ints, first) {
  // What was written meanwhile may have run code of the program.
  for (const item of list) checkAgain(item);
  for (const item of list) {
    if (!isBuffer(item) && typeof item[kSend] !== 'function') {
      throw refuse(`${item.constructor?.name ?? 'Object'} cannot be transferred to another thread.`);
    }
  }
  ints[1] = first;
  let at = HEADER;
  for (const item of list) {
    const [kind, maxByteLength] = isBuffer(item) ? moveBuffer(item) : moveOwn(item);
    ints[at] = kind;
    ints[at + 1] = maxByteLength % 2 ** 31;
    ints[at + 2] = Math.floor(maxByteLength / 2 ** 31);
    at += WORDS_OF_MOVED;
  }
}

function moveBuffer(buffer) {
  const { resizable: isGrowing, maxByteLength } = buffer;
  if (natives.attachMemory?.(buffer) === undefined) natives.attachBytes(new Uint8Array(buffer.transfer()));
  return [isGrowing ? MOVED.RESIZABLE : MOVED.BUFFER, isGrowing ? maxByteLength : 0];
}

function moveOwn(object) {
  const given = object[kSend]();
  if (given.fd !== undefined) {
    natives.attachFile(given.fd);
    return [MOVED.FILE, 0];
  }
  const { kind, ports } = given;
  for (const port of ports) natives.attachPort(port);
  return [MOVED[kind], 0];
}

module.exports = { move };
