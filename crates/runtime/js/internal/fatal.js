// What is said of an error that nobody caught. In: the thrown value. Out: its text, and the place it names: file, line, column.
// Absent: printing, the line of the source.
'use strict';

const { describe, isPlace, place } = require('internal/stack/shown');

function isError(value) {
  return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error;
}

/** [text, file, line, column] */
module.exports = function tell(value) {
  if (value === null || typeof value !== 'object' || !isError(value)) return [String(value)];
  // What does not parse has its place in properties, and no frame there.
  const { sourceURL, line, column } = value instanceof SyntaxError ? value : {};
  const isPlaced = typeof sourceURL === 'string' && typeof line === 'number' && !sourceURL.startsWith('node:');
  const stack = describe(value);
  const text = typeof stack === 'string' ? stack : String(value);
  const found = isPlaced ? [sourceURL, line, column] : place(value) ?? [];
  const extra = Object.keys(value).filter((key) => key !== 'stack' && !isPlace(value, key));
  if (extra.length === 0 && value.cause === undefined) return [text, ...found];
  try {
    return [require('internal/util/inspect').inspect(value), ...found];
  } catch {
    return [text, ...found];
  }
};
