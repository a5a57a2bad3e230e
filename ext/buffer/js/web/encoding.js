// `TextEncoder` and `TextDecoder`, as in the Encoding Standard. In: strings, bytes. Out: bytes,
// strings. Absent: their streams (web/streams).
'use strict';

const { codes } = require('internal/errors');
const { validateObject, kValidateObjectAllowObjectsAndNull } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView, isUint8Array } = require('internal/util/types');
const { kEmptyObject } = require('internal/util');

const binding = internalBinding('encoding');
const { encode, encodeInto } = internalBinding('buffer');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const counts = new Uint32Array(2);
const { fromCharCode } = String;
// Up to this number of characters a loop is faster than a call of the binding.
const SHORT_MAX = 24;

class TextEncoder {
  #isEncoder = true;

  static #check(encoder) {
    if (typeof encoder !== 'object' || encoder === null || !(#isEncoder in encoder)) {
      throw new codes.ERR_INVALID_THIS('TextEncoder');
    }
  }

  get encoding() {
    TextEncoder.#check(this);
    return 'utf-8';
  }

  encode(input = '') {
    TextEncoder.#check(this);
    input = `${input}`;
    const { length } = input;
    return (length <= SHORT_MAX ? encodeShort(input, length) : undefined) ?? encode(input);
  }

  encodeInto(source, destination) {
    TextEncoder.#check(this);
    if (typeof source !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('src', 'string', source);
    if (!isUint8Array(destination)) throw new codes.ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', destination);
    encodeInto(source, destination, counts);
    return { read: counts[0], written: counts[1] };
  }

  [kInspect](depth, options) {
    TextEncoder.#check(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize('[TextEncoder]', 'special');
    const { inspect } = require('internal/util/inspect');
    // Without the class name, as in Node.
    return inspect({ encoding: 'utf-8' }, options);
  }
}

function encodeShort(text, length) {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return undefined;
    bytes[i] = unit;
  }
  return bytes;
}

class TextDecoder {
  #encoding;
  #isFatal;
  #ignoreBOM;
  // Created for the first chunk that is not the last.
  #decoder = undefined;

  constructor(encoding = 'utf-8', options = kEmptyObject) {
    encoding = `${encoding}`;
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    const name = nameOf(encoding);
    if (name === undefined) throw new codes.ERR_ENCODING_NOT_SUPPORTED(encoding);
    this.#encoding = name;
    this.#isFatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
  }

  static #of(decoder) {
    if (typeof decoder !== 'object' || decoder === null || !(#encoding in decoder)) {
      throw new codes.ERR_INVALID_THIS('TextDecoder');
    }
    return decoder;
  }

  decode(input = empty, options = kEmptyObject) {
    TextDecoder.#of(this);
    const bytes = toBytes(input);
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    const isLast = !options?.stream;
    if (isLast && this.#decoder === undefined && this.#encoding === 'utf-8') {
      const { length } = bytes;
      const short = length <= SHORT_MAX ? decodeShort(bytes, length) : undefined;
      return short ?? this.#checked(binding.decodeUtf8(bytes, this.#isFatal, this.#ignoreBOM));
    }
    this.#decoder ??= binding.decoder(this.#encoding, this.#isFatal, this.#ignoreBOM);
    const decoder = this.#decoder;
    if (isLast) this.#decoder = undefined;
    return this.#checked(binding.decode(decoder, bytes, isLast));
  }

  #checked(text) {
    if (text !== null) return text;
    this.#decoder = undefined;
    throw new codes.ERR_ENCODING_INVALID_ENCODED_DATA(this.#encoding, undefined);
  }

  get encoding() { return TextDecoder.#of(this).#encoding; }
  get fatal() { return TextDecoder.#of(this).#isFatal; }
  get ignoreBOM() { return TextDecoder.#of(this).#ignoreBOM; }

  [kInspect](depth, options) {
    TextDecoder.#of(this);
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const shown = { encoding: this.encoding, fatal: this.fatal, ignoreBOM: this.ignoreBOM };
    return `TextDecoder ${inspect(shown, options)}`;
  }
}

const empty = new Uint8Array(0);
const names = new Map([['utf-8', 'utf-8'], ['utf8', 'utf-8']]);

function nameOf(label) {
  const known = names.get(label);
  if (known !== undefined) return known;
  const name = binding.name(label);
  if (name !== undefined) names.set(label, name);
  return name;
}

function toBytes(input) {
  if (isUint8Array(input)) return input;
  if (isArrayBufferView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (isAnyArrayBuffer(input)) return input.detached ? empty : new Uint8Array(input);
  // The message of Node's C++.
  const message = 'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.';
  throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

function decodeShort(bytes, length) {
  let text = '';
  for (let i = 0; i < length; i++) {
    const byte = bytes[i];
    if (byte >= 0x80) return undefined;
    text += fromCharCode(byte);
  }
  return text;
}

for (const [type, names] of [
  [TextEncoder, ['encode', 'encodeInto', 'encoding']],
  [TextDecoder, ['decode', 'encoding', 'fatal', 'ignoreBOM']],
]) {
  for (const name of names) Object.defineProperty(type.prototype, name, { __proto__: null, enumerable: true });
  Object.defineProperty(type.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: type.name });
}

module.exports = { TextDecoder, TextEncoder };
