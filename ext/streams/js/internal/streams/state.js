// Default high-water marks and encodings of streams. In: options. Out: a high-water mark, the
// stream's own or the default, in bytes or objects; the encoding of strings. Absent: the rest of a
// stream's state.
'use strict';

const { validateInteger } = require('internal/validators');
const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_UNKNOWN_ENCODING } } = require('internal/errors');

let bytesDefault = 64 * 1024;
let objectsDefault = 16;

function getDefaultHighWaterMark(isObjectMode) {
  return isObjectMode ? objectsDefault : bytesDefault;
}

function setDefaultHighWaterMark(isObjectMode, value) {
  validateInteger(value, 'value', 0);
  if (isObjectMode) {
    objectsDefault = value;
  } else {
    bytesDefault = value;
  }
}

/** `duplexKey`: the option of one side, used where a duplex has no common one. */
function getHighWaterMark(state, options, duplexKey, isDuplex) {
  const hwm = options.highWaterMark ?? (isDuplex ? options[duplexKey] : null);
  if (hwm == null) {
    return getDefaultHighWaterMark(state.objectMode);
  }
  if (!Number.isInteger(hwm) || hwm < 0) {
    throw new ERR_INVALID_ARG_VALUE(isDuplex ? `options.${duplexKey}` : 'options.highWaterMark', hwm);
  }
  return Math.floor(hwm);
}

function defaultEncodingOf(options) {
  const encoding = options?.defaultEncoding;
  if (encoding === undefined || encoding === null || encoding === 'utf8') {
    return 'utf8';
  }
  if (!Buffer.isEncoding(encoding)) {
    throw new ERR_UNKNOWN_ENCODING(encoding);
  }
  return encoding;
}

module.exports = { defaultEncodingOf, getDefaultHighWaterMark, setDefaultHighWaterMark, getHighWaterMark };
