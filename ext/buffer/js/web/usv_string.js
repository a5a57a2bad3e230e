// Conversion to the Web IDL types DOMString and USVString. In: any value. Out: a string; for a
// symbol a TypeError with V8's message, which programs compare.
'use strict';

function toText(value) {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return `${value}`;
}

/** USVString: lone surrogates become U+FFFD. */
function toUsv(value) {
  const text = toText(value);
  return text.isWellFormed() ? text : text.toWellFormed();
}

module.exports = { toText, toUsv };
