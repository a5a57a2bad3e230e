// Position of a syntax error in a source of `node:vm`. In: the engine's error, which has the line
// only, and the source text. Out: the error, whose stack begins with that line and a caret.
'use strict';

const { setSyntaxErrorPosition } = require('internal/stack/engine_errors');

/**
 * @param begin { line, column }: the line of the source's first line, from 1; the number of
 *   characters on it that were prepended by us
 */
function setPosition(error, source, name, begin) {
  if (!(error instanceof SyntaxError)) return;
  const position = internalBinding('loader').syntaxErrorOf(source, name);
  // The engine rejects what our parser accepts, and decides.
  if (position === undefined) return;
  const [line, text, column, width] = position;
  const prepended = line === 0 ? begin.column : 0;
  if (column < prepended) return;
  // Our parser reports a missing token after the previous token, V8 at the next one.
  const [, blanks, token] = /^(\s+)([\w$]+|\S)/.exec(text.slice(column)) ?? [undefined, '', undefined];
  setSyntaxErrorPosition(error, {
    line: begin.line + line, text: text.slice(prepended), before: text.slice(prepended, column + blanks.length), width: token?.length ?? width,
  });
}

module.exports = { setPosition };
