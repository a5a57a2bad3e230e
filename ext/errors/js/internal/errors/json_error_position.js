// Where a text is no JSON, as Node shows it of an error that nobody caught. In: an error, the text,
// the place. Out: what stands on top of its stack then.
'use strict';

const { LINE_LENGTH_MAX, lineAt } = require('internal/stack/shown');

/** What Node calls a text that is in no file. */
const NAME = '<anonymous_script>';

/** By their errors: what they said, and what stands on top of them. */
const places = new WeakMap();

function note(error, source, at) {
  const begin = at === 0 ? 0 : source.lastIndexOf('\n', at - 1) + 1;
  const found = source.indexOf('\n', at);
  const end = found === -1 ? source.length : found;
  if (end - begin > LINE_LENGTH_MAX) return;
  let line = 1;
  for (let before = source.indexOf('\n'); before !== -1 && before < at; before = source.indexOf('\n', before + 1)) line++;
  const place = `${NAME}:${line}`;
  const text = source.slice(begin, end);
  // Behind the text's end stands no letter.
  const top = at < end ? lineAt(place, text, source.slice(begin, at), 1) : `${place}\n${text}\n`;
  places.set(error, { message: error.message, top });
}

/**
 * Undefined for errors of other strings, and for those that a program gave words of its own: it
 * threw them again, elsewhere.
 */
function top(error) {
  const place = places.get(error);
  return place?.message === error.message ? place?.top : undefined;
}

module.exports = { note, top };
