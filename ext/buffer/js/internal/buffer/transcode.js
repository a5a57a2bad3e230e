// `transcode`, `atob` and `btoa`. In: bytes and encoding names; strings. Out: bytes; strings.
'use strict';

const { codes } = require('internal/errors');
const { isUint8Array } = require('internal/util/types');
const { FastBuffer, encodingOf, fromString } = require('internal/buffer');

const binding = internalBinding('buffer');
const NAMES = new Set(['utf8', 'utf16le', 'latin1', 'ascii']);

function transcode(source, from, to) {
  if (!isUint8Array(source)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], source);
  if (source.length === 0) return new FastBuffer();
  const [sourceEncoding, targetEncoding] = [from, to].map((name) => encodingOf(name));
  if (!NAMES.has(sourceEncoding?.name) || !NAMES.has(targetEncoding?.name)) {
    const code = 'U_ILLEGAL_ARGUMENT_ERROR';
    throw Object.assign(new Error(`Unable to transcode Buffer [${code}]`), { code, errno: 1 });
  }
  let text = sourceEncoding.slice(source, 0, source.length);
  const limit = { latin1: 0x100, ascii: 0x80 }[targetEncoding.name];
  // Characters that the target encoding cannot represent.
  if (limit !== undefined) text = Array.from(text, (character) => (character.codePointAt(0) < limit ? character : '?')).join('');
  return fromString(text, targetEncoding);
}

function invalid() {
  const { DOMException } = require('web/dom_exception');
  return new DOMException('Invalid character', 'InvalidCharacterError');
}

function btoa(input) {
  const text = binding.btoa(`${input}`);
  if (text === null) throw invalid();
  return text;
}

function atob(input) {
  const text = binding.atob(`${input}`);
  if (text === null) {
    const { DOMException } = require('web/dom_exception');
    const characters = `${input}`.replace(/[\t\n\f\r ]/g, '');
    throw /^[A-Za-z0-9+/]*={0,2}$/.test(characters) ?
      new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError') : invalid();
  }
  return text;
}

module.exports = { atob, btoa, transcode };
