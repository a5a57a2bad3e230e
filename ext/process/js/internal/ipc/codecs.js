// What a message between programs looks like. In: a value. Out: the text or the bytes of it, and
// back. Where one ends and the next begins is the native half's. What comes in may be anything;
// whatever is no message throws.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');

const { parse, stringify } = JSON;

/** Native numbers of the forms, the same in src/natives/channel.rs. */
const NUMBERS = { __proto__: null, json: 0, advanced: 1, bun: 2 };

/** A text of JSON, as Node and bun write it. */
const json = {
  read: (text) => parse(text),
  write(value) {
    const text = stringify(value);
    // Of what says that it is nothing (`toJSON`), Node sends a text that nobody can read.
    if (text === undefined) throw new ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], undefined);
    return text;
  },
};

/** What Node's programs put before an object that is none of the language's own kinds. */
const VIEW = 0;
const NOT_VIEW = 1;

/** Values in V8's form, as Node writes them. */
function advanced() {
  const { DefaultDeserializer, DefaultSerializer } = require('internal/serdes/defaults');
  class Writer extends DefaultSerializer {
    _writeHostObject(object) {
      const isView = ArrayBuffer.isView(object);
      this.writeUint32(isView ? VIEW : NOT_VIEW);
      if (isView) super._writeHostObject(object);
      else this.writeValue({ ...object });
    }
  }
  class Reader extends DefaultDeserializer {
    _readHostObject() {
      return this.readUint32() === NOT_VIEW ? this.readValue() : super._readHostObject();
    }
  }
  return {
    read(bytes) {
      const reader = new Reader(bytes);
      reader.readHeader();
      return reader.readValue();
    },
    write(value) {
      const writer = new Writer();
      writer.writeHeader();
      writer.writeValue(value);
      return writer.releaseBuffer();
    },
  };
}

let v8;

function make(form) {
  if (form === 'json') return json;
  if (form === 'bun') return require('internal/ipc/bun_form');
  v8 ??= advanced();
  return v8;
}

module.exports = { make, number: (form) => NUMBERS[form] };
