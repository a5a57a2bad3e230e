// `data:` URLs: the Fetch Standard, 6. In: a URL. Out: its bytes and their MIME type, or null.
'use strict';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function parse(url) {
  const text = url.href.slice(0, url.href.length - url.hash.length).slice('data:'.length);
  const comma = text.indexOf(',');
  if (comma === -1) return null;
  let type = text.slice(0, comma).replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '');
  let bytes = percentDecode(text.slice(comma + 1));
  const base64 = /; *base64$/i.exec(type);
  if (base64) {
    type = type.slice(0, base64.index);
    bytes = forgivingBase64Decode(bytes);
    if (bytes === null) return null;
  }
  if (type.startsWith(';')) type = `text/plain${type}`;
  try {
    type = `${new (require('internal/util/mime_type').MIMEType)(type)}`;
  } catch {
    type = 'text/plain;charset=US-ASCII';
  }
  return { bytes, type };
}

/** The URL Standard, "percent-decode". */
function percentDecode(text) {
  const { Buffer } = require('buffer');
  const encoded = Buffer.from(text, 'utf8');
  const bytes = new Uint8Array(encoded.length);
  let length = 0;
  for (let i = 0; i < encoded.length; i++) {
    const hex = encoded[i] === 0x25 ? encoded.latin1Slice(i + 1, i + 3) : '';
    if (/^[\da-fA-F]{2}$/.test(hex)) {
      bytes[length++] = parseInt(hex, 16);
      i += 2;
    } else {
      bytes[length++] = encoded[i];
    }
  }
  return bytes.slice(0, length);
}

/** The Infra Standard: ignores white space and missing padding. */
function forgivingBase64Decode(bytes) {
  const { Buffer } = require('buffer');
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).latin1Slice().replace(/[\t\n\f\r ]+/g, '');
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, '');
  if (!BASE64.test(text) || text.includes('=') || text.length % 4 === 1) return null;
  return new Uint8Array(Buffer.from(text, 'base64'));
}

module.exports = { parse };
