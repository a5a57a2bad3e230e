// Strings as Web IDL takes them. In: any value. Out: a text; a TypeError in V8's words, which
// programs compare, where it is a symbol.
'use strict';

function toText(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${value}`;
}

/** Without halves of characters. */
function toUsv(value) {
  const text = toText(value);
  return text.isWellFormed() ? text : text.toWellFormed();
}

module.exports = { toText, toUsv };
