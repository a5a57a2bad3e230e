// `node:string_decoder` in browsers. In: bytes in pieces. Out: text without broken characters.
'use strict';

const { Buffer } = require('buffer');
const { codes } = require('internal/errors');

const DECODERS = { 'utf8': 'utf-8', 'utf-8': 'utf-8', 'utf16le': 'utf-16le', 'utf-16le': 'utf-16le', 'ucs2': 'utf-16le', 'ucs-2': 'utf-16le' };

class StringDecoder {
  #decoder;
  #rest = Buffer.alloc(0);

  constructor(encoding = 'utf8') {
    this.encoding = String(encoding).toLowerCase();
    if (!Buffer.isEncoding(this.encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    const label = DECODERS[this.encoding];
    if (label !== undefined) this.#decoder = new TextDecoder(label, { ignoreBOM: true });
  }

  write(bytes) {
    if (typeof bytes === 'string') return bytes;
    if (this.#decoder !== undefined) return this.#decoder.decode(bytes, { stream: true });
    // Three bytes are four characters of Base64.
    const all = Buffer.concat([this.#rest, bytes]);
    const length = this.encoding.startsWith('base64') ? all.length - all.length % 3 : all.length;
    this.#rest = all.subarray(length);
    return all.subarray(0, length).toString(this.encoding);
  }

  end(bytes) {
    const text = bytes === undefined ? '' : this.write(bytes);
    // As in Node, one byte of two is no character.
    if (this.#decoder !== undefined) return this.#decoder.encoding === 'utf-16le' ? text : text + this.#decoder.decode();
    const rest = this.#rest.toString(this.encoding);
    this.#rest = Buffer.alloc(0);
    return text + rest;
  }
}

module.exports = { StringDecoder };
