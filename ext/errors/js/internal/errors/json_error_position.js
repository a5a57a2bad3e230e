// Position of a JSON syntax error, as Node shows it for an uncaught error. In: an error, the JSON
// text, the offset. Out: the arrow message that its stack begins with then.
'use strict';

const { LINE_LENGTH_MAX, arrowMessage } = require('internal/stack/engine_errors');

/** Node's name of a source that is in no file. */
const NAME = '<anonymous_script>';

/** By error: its message, and its arrow message. */
const arrows = new WeakMap();

function setPosition(error, source, offset) {
  const begin = offset === 0 ? 0 : source.lastIndexOf('\n', offset - 1) + 1;
  const newline = source.indexOf('\n', offset);
  const end = newline === -1 ? source.length : newline;
  if (end - begin > LINE_LENGTH_MAX) return;
  let line = 1;
  for (let before = source.indexOf('\n'); before !== -1 && before < offset; before = source.indexOf('\n', before + 1)) line++;
  const location = `${NAME}:${line}`;
  const text = source.slice(begin, end);
  // At the end of the text there is no character to point at.
  const arrow = offset < end ? arrowMessage(location, text, source.slice(begin, offset), 1) : `${location}\n${text}\n`;
  arrows.set(error, { message: error.message, arrow });
}

/**
 * Undefined for other errors, and for those whose message the program changed: it threw them again
 * at another position.
 */
function arrowOf(error) {
  const entry = arrows.get(error);
  return entry?.message === error.message ? entry?.arrow : undefined;
}

module.exports = { arrowOf, setPosition };
