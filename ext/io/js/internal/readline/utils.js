// Terminal escape codes, and characters of one or two code units. In: strings. Out: numbers,
// strings.
'use strict';

const ESC = '\x1b';
/** A template of a code: CSI`2K`. */
function CSI(strings, ...values) {
  return `${ESC}[${String.raw({ raw: strings }, ...values)}`;
}
CSI.kEscape = ESC;
CSI.kClearToLineBeginning = CSI`1K`;
CSI.kClearToLineEnd = CSI`0K`;
CSI.kClearLine = CSI`2K`;
CSI.kClearScreenDown = CSI`0J`;

/** Matches a line end. Global: set `lastIndex` before use. */
const lineEnding = /\r?\n|\r(?!\n)|\u2028|\u2029/g;

/** The code units of the character before `index`; 0 at the start. */
function lengthBefore(text, index) {
  if (index <= 0) {
    return 0;
  }
  return (index > 1 && text.codePointAt(index - 2) >= 2 ** 16) || text.codePointAt(index - 1) >= 2 ** 16 ? 2 : 1;
}

/** The code units of the character at `index`; 1 after the end. */
function lengthAt(text, index) {
  if (text.length <= index) {
    return 1;
  }
  return text.codePointAt(index) >= 2 ** 16 ? 2 : 1;
}

function commonPrefix(strings) {
  if (strings.length === 0) {
    return '';
  }
  const sorted = strings.length === 1 ? strings : strings.toSorted();
  const first = sorted[0];
  const last = sorted[sorted.length - 1];
  let length = 0;
  while (length < first.length && first[length] === last[length]) {
    length++;
  }
  return first.slice(0, length);
}

const reversed = (text) => Array.from(text).reverse().join('');

module.exports = { CSI, ESC, lineEnding, lengthBefore, lengthAt, commonPrefix, reversed };
