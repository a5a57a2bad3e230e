// `node:punycode` (RFC 3492). In: domains, email addresses, code points. Out: their ASCII form, and
// back.
'use strict';

const INT_MAX = 0x7fffffff;
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const BIAS = 72;
const FIRST = 0x80;
const MESSAGES = {
  'overflow': 'Overflow: input needs wider integers to process',
  'not-basic': 'Illegal input >= 0x80 (not a basic code point)',
  'invalid-input': 'Invalid input',
};

// Not for packages: their users cannot change that.
if (!require('internal/util').isInsideNodeModules()) {
  process.emitWarning?.(
    'The `punycode` module is deprecated. Please use a userland alternative instead.', 'DeprecationWarning', 'DEP0040');
}

function throwError(kind) {
  throw new RangeError(MESSAGES[kind]);
}

// Maps each label; the part before `@` is unchanged.
function mapLabels(domain, map) {
  const parts = domain.split('@');
  let before = '';
  if (parts.length > 1) {
    before = `${parts[0]}@`;
    [, domain] = parts;
  }
  return before + domain.replace(/[\x2E\u3002\uFF0E\uFF61]/g, '.').split('.').map(map).join('.');
}

function ucs2decode(string) {
  return Array.from(string, (character) => character.codePointAt(0));
}

function adapt(delta, points, isFirst) {
  delta = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  delta += Math.floor(delta / points);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return Math.floor(k + (BASE - T_MIN + 1) * delta / (delta + SKEW));
}

const threshold = (k, bias) => (k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias);

function digitOf(code) {
  if (code >= 0x30 && code < 0x3a) return 26 + (code - 0x30);
  if (code >= 0x41 && code < 0x5b) return code - 0x41;
  return code >= 0x61 && code < 0x7b ? code - 0x61 : BASE;
}

const characterOf = (digit) => String.fromCharCode(digit < 26 ? digit + 0x61 : digit + 22);

function decode(input) {
  const output = [];
  const basic = Math.max(0, input.lastIndexOf('-'));
  for (let j = 0; j < basic; j++) {
    if (input.charCodeAt(j) >= FIRST) throwError('not-basic');
    output.push(input.charCodeAt(j));
  }
  let n = FIRST;
  let i = 0;
  let bias = BIAS;
  for (let index = basic > 0 ? basic + 1 : 0; index < input.length;) {
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      if (index >= input.length) throwError('invalid-input');
      const digit = digitOf(input.charCodeAt(index++));
      if (digit >= BASE) throwError('invalid-input');
      if (digit > Math.floor((INT_MAX - i) / weight)) throwError('overflow');
      i += digit * weight;
      const t = threshold(k, bias);
      if (digit < t) break;
      if (weight > Math.floor(INT_MAX / (BASE - t))) throwError('overflow');
      weight *= BASE - t;
    }
    const count = output.length + 1;
    bias = adapt(i - before, count, before === 0);
    if (Math.floor(i / count) > INT_MAX - n) throwError('overflow');
    n += Math.floor(i / count);
    i %= count;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

function encode(input) {
  const points = ucs2decode(input);
  let output = points.filter((point) => point < FIRST).map((point) => String.fromCharCode(point)).join('');
  const basic = output.length;
  let done = basic;
  if (basic > 0) output += '-';
  let n = FIRST;
  let delta = 0;
  let bias = BIAS;
  while (done < points.length) {
    let next = INT_MAX;
    for (const point of points) if (point >= n && point < next) next = point;
    if (next - n > Math.floor((INT_MAX - delta) / (done + 1))) throwError('overflow');
    delta += (next - n) * (done + 1);
    n = next;
    for (const point of points) {
      if (point < n && ++delta > INT_MAX) throwError('overflow');
      if (point !== n) continue;
      let q = delta;
      for (let k = BASE; ; k += BASE) {
        const t = threshold(k, bias);
        if (q < t) break;
        output += characterOf(t + (q - t) % (BASE - t));
        q = Math.floor((q - t) / (BASE - t));
      }
      output += characterOf(q);
      bias = adapt(delta, done + 1, done === basic);
      delta = 0;
      done++;
    }
    delta++;
    n++;
  }
  return output;
}

function toUnicode(input) {
  return mapLabels(input, (label) => (/^xn--/.test(label) ? decode(label.slice(4).toLowerCase()) : label));
}

function toASCII(input) {
  return mapLabels(input, (label) => (/[^\0-\x7F]/.test(label) ? `xn--${encode(label)}` : label));
}

module.exports = {
  version: '2.1.0',
  ucs2: { decode: ucs2decode, encode: (points) => String.fromCodePoint(...points) },
  decode,
  encode,
  toASCII,
  toUnicode,
};
