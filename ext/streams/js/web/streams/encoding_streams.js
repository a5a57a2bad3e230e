// TextEncoderStream and TextDecoderStream: the Encoding Standard 8. In: strings, or bytes. Out: the
// other. Absent: the encodings (web/encoding).
'use strict';

const { createTransformStream } = require('web/streams/transform');
const { finishClass, isObject, noPrivateMember, wrongType } = require('web/streams/webidl_utils');

let slotsOfEncoder;
let slotsOfDecoder;

class TextEncoderStream {
  #sides;

  constructor() {
    const { TextEncoder } = require('web/encoding');
    const encoder = new TextEncoder();
    /** A high surrogate at the end of a chunk, which waits for the low one. */
    let pendingSurrogate = '';
    this.#sides = createTransformStream({
      transform(chunk, enqueue) {
        let string = pendingSurrogate + String(chunk);
        const last = string.charCodeAt(string.length - 1);
        pendingSurrogate = '';
        if (last >= 0xd800 && last <= 0xdbff) {
          pendingSurrogate = string[string.length - 1];
          string = string.slice(0, -1);
        }
        if (string !== '') {
          enqueue(encoder.encode(string));
        }
      },
      flush(enqueue) {
        if (pendingSurrogate !== '') {
          enqueue(new Uint8Array([0xef, 0xbf, 0xbd]));
        }
      },
    });
  }

  static {
    slotsOfEncoder = (object) => {
      if (!isObject(object) || !(#sides in object)) {
        throw noPrivateMember();
      }
      return object.#sides;
    };
  }

  get encoding() {
    slotsOfEncoder(this);
    return 'utf-8';
  }

  get readable() {
    return slotsOfEncoder(this).readable;
  }

  get writable() {
    return slotsOfEncoder(this).writable;
  }
}

class TextDecoderStream {
  #sides;

  constructor(label = 'utf-8', options = {}) {
    const { TextDecoder } = require('web/encoding');
    const decoder = new TextDecoder(label, options ?? {});
    const enqueueNonEmpty = (string, enqueue) => {
      if (string !== '') {
        enqueue(string);
      }
    };
    const sides = createTransformStream({
      transform(chunk, enqueue) {
        if (!isBufferSource(chunk)) {
          throw wrongType('chunk', ['ArrayBuffer', 'TypedArray', 'DataView'], chunk);
        }
        enqueueNonEmpty(decoder.decode(chunk, { stream: true }), enqueue);
      },
      flush(enqueue) {
        enqueueNonEmpty(decoder.decode(), enqueue);
      },
    });
    this.#sides = { ...sides, decoder };
  }

  static {
    slotsOfDecoder = (object) => {
      if (!isObject(object) || !(#sides in object)) {
        throw noPrivateMember();
      }
      return object.#sides;
    };
  }

  get encoding() {
    return slotsOfDecoder(this).decoder.encoding;
  }

  get fatal() {
    return slotsOfDecoder(this).decoder.fatal;
  }

  get ignoreBOM() {
    return slotsOfDecoder(this).decoder.ignoreBOM;
  }

  get readable() {
    return slotsOfDecoder(this).readable;
  }

  get writable() {
    return slotsOfDecoder(this).writable;
  }
}

const isBufferSource = (value) => ArrayBuffer.isView(value) || value instanceof ArrayBuffer ||
  (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer);

finishClass(TextEncoderStream, ({ encoding, readable, writable }) => ({ encoding, readable, writable }));
finishClass(TextDecoderStream, ({ encoding, fatal, ignoreBOM, readable, writable }) =>
  ({ encoding, fatal, ignoreBOM, readable, writable }));

module.exports = { TextEncoderStream, TextDecoderStream };
