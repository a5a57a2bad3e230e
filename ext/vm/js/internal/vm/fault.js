// Where a text of `node:vm` does not parse. In: the engine's error, which knows the line alone, and
// the text. Out: the error, whose stack begins with that line and a caret.
'use strict';

const { setPlace } = require('internal/stack/shown');

/**
 * @param begin { line, column }: of the text's first line, from 1; characters on it that are ours
 */
function place(error, text, name, begin) {
  if (!(error instanceof SyntaxError)) return;
  const found = internalBinding('loader').syntaxErrorOf(text, name);
  // The engine refuses what our parser takes, and is right.
  if (found === undefined) return;
  const [line, shown, column, width] = found;
  const ours = line === 0 ? begin.column : 0;
  if (column < ours) return;
  // What should stand before a word is missed behind the one before it.
  const [, blanks, word] = /^(\s+)([\w$]+|\S)/.exec(shown.slice(column)) ?? [undefined, '', undefined];
  setPlace(error, { line: begin.line + line, text: shown.slice(ours), before: shown.slice(ours, column + blanks.length), width: word?.length ?? width });
}

module.exports = { place };
