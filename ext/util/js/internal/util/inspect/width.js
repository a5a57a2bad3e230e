// Width of strings in a terminal, and removal of control sequences. In: a string. Out: columns; a
// string. Widths follow Unicode's East Asian Width; combining marks have none. The parts of an
// emoji sequence are counted individually.
'use strict';

// CSI, OSC and other control sequences (ECMA-48).
const SEQUENCES = new RegExp(
  '[\\u001B\\u009B][[\\]()#;?]*' +
  '(?:(?:(?:(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]+)*' +
  '|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]*)*)?' +
  '(?:\\u0007|\\u001B\\u005C|\\u009C))' +
  '|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?' +
  '[\\dA-PR-TZcf-nq-uy=><~]))', 'g',
);

// Ranges (first, last) of characters that are two columns wide.
const WIDE = [
  0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x23f0, 0x23f0, 0x23f3, 0x23f3, 0x25fd, 0x25fe, 0x2614, 0x2615,
  0x2648, 0x2653, 0x267f, 0x267f, 0x2693, 0x2693, 0x26a1, 0x26a1, 0x26aa, 0x26ab, 0x26bd, 0x26be, 0x26c4, 0x26c5, 0x26ce, 0x26ce,
  0x26d4, 0x26d4, 0x26ea, 0x26ea, 0x26f2, 0x26f3, 0x26f5, 0x26f5, 0x26fa, 0x26fa, 0x26fd, 0x26fd, 0x2705, 0x2705, 0x270a, 0x270b,
  0x2728, 0x2728, 0x274c, 0x274c, 0x274e, 0x274e, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797, 0x27b0, 0x27b0, 0x27bf, 0x27bf,
  0x2b1b, 0x2b1c, 0x2b50, 0x2b50, 0x2b55, 0x2b55, 0x2e80, 0x303e, 0x3041, 0x3247, 0x3250, 0x4dbf, 0x4e00, 0xa4c6, 0xa960, 0xa97c,
  0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18aff, 0x1b000, 0x1b2ff,
  0x1f004, 0x1f004, 0x1f0cf, 0x1f0cf, 0x1f18e, 0x1f18e, 0x1f191, 0x1f19a, 0x1f200, 0x1f320, 0x1f32d, 0x1f335, 0x1f337, 0x1f37c,
  0x1f37e, 0x1f393, 0x1f3a0, 0x1f3ca, 0x1f3cf, 0x1f3d3, 0x1f3e0, 0x1f3f0, 0x1f3f4, 0x1f3f4, 0x1f3f8, 0x1f43e, 0x1f440, 0x1f440,
  0x1f442, 0x1f4fc, 0x1f4ff, 0x1f53d, 0x1f54b, 0x1f54e, 0x1f550, 0x1f567, 0x1f57a, 0x1f57a, 0x1f595, 0x1f596, 0x1f5a4, 0x1f5a4,
  0x1f5fb, 0x1f64f, 0x1f680, 0x1f6c5, 0x1f6cc, 0x1f6cc, 0x1f6d0, 0x1f6d2, 0x1f6d5, 0x1f6d7, 0x1f6dc, 0x1f6df, 0x1f6eb, 0x1f6ec,
  0x1f6f4, 0x1f6fc, 0x1f7e0, 0x1f7eb, 0x1f7f0, 0x1f7f0, 0x1f90c, 0x1f93a, 0x1f93c, 0x1f945, 0x1f947, 0x1f9ff, 0x1fa70, 0x1faff,
  0x20000, 0x3fffd,
];

function isWide(code) {
  if (code < WIDE[0]) return false;
  let low = 0;
  let high = WIDE.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < WIDE[2 * middle]) high = middle - 1;
    else if (code > WIDE[2 * middle + 1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** Control characters, combining marks, joiners, variation selectors. */
function isZeroWidthCodePoint(code) {
  return code <= 0x1f || (code >= 0x7f && code <= 0x9f) || (code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x20d0 && code <= 0x20ff) || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xfe20 && code <= 0xfe2f) ||
    (code >= 0xe0100 && code <= 0xe01ef) || (code > 0x36f && /^[\p{Mn}\p{Me}\p{Cf}]$/u.test(String.fromCodePoint(code)));
}

function getStringWidth(text, removeControl = true) {
  if (/^[ -~]*$/.test(text)) return text.length;
  return countWidth(text, removeControl);
}

/**
 * A string that is so many times longer than a line is not scanned: that would flatten a rope.
 */
const SURELY_WIDE = 100;

/** Whether it is wider than `columns`. A long string is scanned only as far as necessary. */
function isWiderThan(text, columns, removeControl) {
  if (text.length * 2 <= columns) return false;
  if (text.length > SURELY_WIDE * columns) return true;
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7e || code === 0x1b) return countWidth(text, removeControl) > columns;
    if (code >= 0x20 && ++width > columns) return true;
  }
  return false;
}

function countWidth(text, removeControl) {
  let width = 0;
  for (const char of (removeControl ? text.replace(SEQUENCES, '') : text).normalize('NFC')) {
    const code = char.codePointAt(0);
    if (isWide(code)) width += 2;
    else if (!isZeroWidthCodePoint(code)) width++;
  }
  return width;
}

function stripVTControlCharacters(text) {
  require('internal/validators').validateString(text, 'str');
  // Fast path: each sequence begins with one of these.
  return text.includes('\u001b') || text.includes('\u009b') ? text.replace(SEQUENCES, '') : text;
}

module.exports = { getStringWidth, isWiderThan, isZeroWidthCodePoint, stripVTControlCharacters };
