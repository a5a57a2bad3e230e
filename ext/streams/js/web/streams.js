// Classes of the Streams Standard. In: nothing. Out: the classes, each loaded at its first use:
// many programs need one kind. Absent: the classes themselves.
'use strict';

const files = {
  'web/streams/readable': [
    'ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamDefaultController',
  ],
  'web/streams/byte_interfaces': ['ReadableStreamBYOBRequest', 'ReadableByteStreamController'],
  'web/streams/transform': ['TransformStream', 'TransformStreamDefaultController'],
  'web/streams/writable': ['WritableStream', 'WritableStreamDefaultWriter', 'WritableStreamDefaultController'],
  'web/streams/strategies': ['ByteLengthQueuingStrategy', 'CountQueuingStrategy'],
  'web/compression': ['CompressionStream', 'DecompressionStream'],
  'web/streams/encoding_streams': ['TextEncoderStream', 'TextDecoderStream'],
};

for (const file of Object.keys(files)) {
  for (const name of files[file]) {
    require('internal/globals').lazy(exports, name, () => require(file)[name], true);
  }
}
