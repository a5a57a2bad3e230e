// bun's option `compress` of `fetch`. In: a request whose body is in memory, an encoding, a level.
// Out: the request with the compressed body and `Content-Encoding`. Streams, and bodies that have
// an encoding already, stay as they are.
'use strict';

const { Body } = require('web/fetch/body');

/** By encoding: the function of `node:zlib`, and its options for a level. */
const ENCODERS = {
  '__proto__': null,
  'gzip': ['gzip', (level) => ({ level })],
  'deflate': ['deflate', (level) => ({ level })],
  'br': ['brotliCompress', (level, constants) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } })],
  'zstd': ['zstdCompress', (level, constants) => ({ params: { [constants.ZSTD_c_compressionLevel]: level } })],
};

async function compressBody(request) {
  const { body, list, options: { compress: { encoding, level } } } = request;
  if (body === null || body.source === undefined || body.isUnusable || list.has('content-encoding')) return;
  const zlib = require('zlib');
  const [name, optionsOf] = ENCODERS[encoding];
  const bytes = await body.bytes();
  if (bytes.length === 0) return;
  const options = level === undefined ? {} : optionsOf(level, zlib.constants);
  const source = await require('util').promisify(zlib[name])(bytes, options);
  request.body = new Body({ source: new Uint8Array(source), length: source.length });
  list.append('content-encoding', encoding);
}

module.exports = { ENCODERS, compressBody };
