// From one encoding to another, and base 64 of the web. In: bytes, names; characters below U+0100.
// Out: bytes; characters.
'use strict';

const { codes } = require('internal/errors');
const { isUint8Array } = require('internal/util/types');
const { FastBuffer, encodingOf, fromString } = require('internal/buffer');

const native_ = internalBinding('buffer');
const NAMES = new Set(['utf8', 'utf16le', 'latin1', 'ascii']);

function transcode(source, from, to) {
  if (!isUint8Array(source)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], source);
  if (source.length === 0) return new FastBuffer();
  const [source_, target] = [from, to].map((name) => encodingOf(name));
  if (!NAMES.has(source_?.name) || !NAMES.has(target?.name)) {
    const code = 'U_ILLEGAL_ARGUMENT_ERROR';
    throw Object.assign(new Error(`Unable to transcode Buffer [${code}]`), { code, errno: 1 });
  }
  let text = source_.text(source, 0, source.length);
  const limit = { latin1: 0x100, ascii: 0x80 }[target.name];
  // What it has no byte for.
  if (limit !== undefined) text = Array.from(text, (letter) => (letter.codePointAt(0) < limit ? letter : '?')).join('');
  return fromString(text, target);
}

function invalid() {
  const { DOMException } = require('web/dom_exception');
  return new DOMException('Invalid character', 'InvalidCharacterError');
}

function btoa(input) {
  const text = native_.btoa(`${input}`);
  if (text === null) throw invalid();
  return text;
}

function atob(input) {
  const text = native_.atob(`${input}`);
  if (text === null) {
    const { DOMException } = require('web/dom_exception');
    const letters = `${input}`.replace(/[\t\n\f\r ]/g, '');
    throw /^[A-Za-z0-9+/]*={0,2}$/.test(letters) ?
      new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError') : invalid();
  }
  return text;
}

module.exports = { atob, btoa, transcode };
