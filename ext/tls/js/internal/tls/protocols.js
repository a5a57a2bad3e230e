// Protocols of ALPN (RFC 7301) in wire format. In: names, or bytes. Out: bytes, each name after its
// length.
'use strict';

const { Buffer } = require('buffer');
const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');

const NAME_BYTES_MAX = 255;

function encode(protocols) {
  const parts = protocols.map((protocol, index) => {
    const bytes = Buffer.from(protocol);
    if (bytes.length > NAME_BYTES_MAX) {
      throw new ERR_OUT_OF_RANGE(`The byte length of the protocol at index ${index} exceeds the maximum length.`, '<= 255', bytes.length, true);
    }
    return [Buffer.from([bytes.length]), bytes];
  });
  return Buffer.concat(parts.flat());
}

/** The names of a list in wire format. */
function decode(list) {
  const protocols = [];
  for (let offset = 0; offset < list.length; offset += 1 + list[offset]) {
    protocols.push(list.subarray(offset + 1, offset + 1 + list[offset]).toString('latin1'));
  }
  return protocols;
}

/** Sets `out.ALPNProtocols`; anything but a list or bytes is ignored. */
function convertALPNProtocols(protocols, out) {
  if (Array.isArray(protocols)) out.ALPNProtocols = encode(protocols);
  else if (ArrayBuffer.isView(protocols)) out.ALPNProtocols = Buffer.from(new Uint8Array(protocols.buffer, protocols.byteOffset, protocols.byteLength));
}

module.exports = { convertALPNProtocols, decode };
