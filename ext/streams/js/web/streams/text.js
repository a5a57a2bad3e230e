// TextEncoderStream and TextDecoderStream: the Encoding Standard 8. In: strings, or bytes. Out: the
// other. Absent: the encodings (web/encoding).
'use strict';

const { makeTransform } = require('web/streams/transform');
const { finishClass, isObject, noPrivateMember, wrongType } = require('web/streams/webidl_utils');

let slotsOfEncoder;
let slotsOfDecoder;

class TextEncoderStream {
  #sides;

  constructor() {
    const { TextEncoder } = require('web/encoding');
    const encoder = new TextEncoder();
    /** The first half of a letter of two halves, at the end of a chunk. */
    let half = '';
    this.#sides = makeTransform({
      transform(chunk, enqueue) {
        let text = half + String(chunk);
        const last = text.charCodeAt(text.length - 1);
        half = '';
        if (last >= 0xd800 && last <= 0xdbff) {
          half = text[text.length - 1];
          text = text.slice(0, -1);
        }
        if (text !== '') {
          enqueue(encoder.encode(text));
        }
      },
      flush(enqueue) {
        if (half !== '') {
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
    const give = (text, enqueue) => {
      if (text !== '') {
        enqueue(text);
      }
    };
    const sides = makeTransform({
      transform(chunk, enqueue) {
        if (!isBytes(chunk)) {
          throw wrongType('chunk', ['ArrayBuffer', 'TypedArray', 'DataView'], chunk);
        }
        give(decoder.decode(chunk, { stream: true }), enqueue);
      },
      flush(enqueue) {
        give(decoder.decode(), enqueue);
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

const isBytes = (value) => ArrayBuffer.isView(value) || value instanceof ArrayBuffer ||
  (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer);

finishClass(TextEncoderStream, ({ encoding, readable, writable }) => ({ encoding, readable, writable }));
finishClass(TextDecoderStream, ({ encoding, fatal, ignoreBOM, readable, writable }) =>
  ({ encoding, fatal, ignoreBOM, readable, writable }));

module.exports = { TextEncoderStream, TextDecoderStream };
