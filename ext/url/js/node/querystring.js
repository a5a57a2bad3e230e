// `node:querystring`. In: strings, objects. Out: objects without a prototype, strings.
'use strict';

const { Buffer } = require('buffer');
const { codes } = require('internal/errors');

/** Percent-encoded form of each ASCII character. */
const ESCAPES = Array.from({ length: 0x80 }, (_, unit) => encodeURIComponent(String.fromCharCode(unit)));
const KEYS_MAX = 1000;

function unescapeBuffer(s, decodeSpaces) {
  const bytes = Buffer.from(s);
  let written = 0;
  for (let i = 0; i < bytes.length; i++, written++) {
    let byte = bytes[i];
    if (byte === 0x2b && decodeSpaces) {
      byte = 0x20;
    } else if (byte === 0x25 && i + 2 < bytes.length) {
      const [high, low] = [digit(bytes[i + 1]), digit(bytes[i + 2])];
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        i += 2;
      }
    }
    bytes[written] = byte;
  }
  return bytes.subarray(0, written);
}

function digit(code) {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function unescape(s, decodeSpaces) {
  try {
    return decodeURIComponent(s);
  } catch {
    return module.exports.unescapeBuffer(s, decodeSpaces).toString();
  }
}

function escape(value) {
  if (typeof value !== 'string') {
    value = typeof value === 'object' ? String(value) : `${value}`;
  }
  let text = '';
  let written = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit >= 0x80) return escapeAll(value);
    const escaped = ESCAPES[unit];
    if (escaped.length === 1) continue;
    text += value.slice(written, i) + escaped;
    written = i + 1;
  }
  return written === 0 ? value : text + value.slice(written);
}

function escapeAll(value) {
  try {
    return encodeURIComponent(value);
  } catch {
    return escapeSurrogates(value);
  }
}

// Like Node, takes the code unit after a lone surrogate as the second half of a pair.
function escapeSurrogates(value) {
  let text = '';
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0xd800 || unit >= 0xe000) {
      text += encodeURIComponent(value[i]);
      continue;
    }
    if (++i >= value.length) throw new codes.ERR_INVALID_URI();
    text += encodeURIComponent(String.fromCodePoint(0x10000 + ((unit & 0x3ff) << 10 | value.charCodeAt(i) & 0x3ff)));
  }
  return text;
}

function textOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`;
  if (typeof value === 'bigint') return `${value}`;
  return typeof value === 'boolean' ? (value ? 'true' : 'false') : '';
}

function stringify(obj, sep, eq, options) {
  sep ||= '&';
  eq ||= '=';
  if (obj === null || typeof obj !== 'object') return '';
  let encode = module.exports.escape;
  if (options && typeof options.encodeURIComponent === 'function') encode = options.encodeURIComponent;
  const fields = [];
  for (const key of Object.keys(obj)) {
    const value = obj[key];
    const name = encode(textOf(key)) + eq;
    if (Array.isArray(value)) {
      for (const one of value) fields.push(name + encode(textOf(one)));
    } else {
      fields.push(name + encode(textOf(value)));
    }
  }
  return fields.join(sep);
}

function parse(qs, sep, eq, options) {
  const obj = { __proto__: null };
  if (typeof qs !== 'string' || qs.length === 0) return obj;
  const separator = sep ? `${sep}` : '&';
  const equals = eq ? `${eq}` : '=';
  let max = KEYS_MAX;
  if (options && typeof options.maxKeys === 'number') max = options.maxKeys > 0 ? options.maxKeys : -1;
  let decode = module.exports.unescape;
  if (options && typeof options.decodeURIComponent === 'function') decode = options.decodeURIComponent;
  const isOwnDecoder = decode !== unescape;
  // Checked once for the whole string, which is cheaper than for each name and value.
  const isPlain = !isOwnDecoder && !qs.includes('%') && !qs.includes('+');
  const read = (text) => isPlain ? text : decoded(text, decode, isOwnDecoder);
  for (let begin = 0; begin <= qs.length && max !== 0;) {
    // An empty separator does not split.
    let end = separator === '' ? -1 : qs.indexOf(separator, begin);
    if (end < 0) end = qs.length;
    if (end > begin) addField(obj, qs.slice(begin, end), equals, read);
    max--;
    begin = end + Math.max(1, separator.length);
  }
  return obj;
}

function addField(obj, field, equals, read) {
  const at = field.indexOf(equals);
  const key = read(at < 0 ? field : field.slice(0, at));
  const value = at < 0 ? '' : read(field.slice(at + equals.length));
  if (!(key in obj)) obj[key] = value;
  else if (Array.isArray(obj[key])) obj[key].push(value);
  else obj[key] = [obj[key], value];
}

function decoded(text, decode, isOwnDecoder) {
  if (text.length === 0) return text;
  if (text.includes('+')) text = text.replaceAll('+', isOwnDecoder ? '%20' : ' ');
  if (!isOwnDecoder && !text.includes('%')) return text;
  try {
    return decode(text);
  } catch {
    return unescape(text, true);
  }
}

module.exports = {
  unescapeBuffer,
  unescape,
  escape,
  stringify,
  encode: stringify,
  parse,
  decode: parse,
};
