// Which regular expression of a program's text the engine refused: it tells the line alone. In: a
// file and a line. Out: the expression and its place. Absent: what is wrong with it, which the
// engine says.
'use strict';

const { current } = require('internal/stack/given');

const isRefused = ([pattern, flags]) => {
  try {
    new RegExp(pattern, flags);
    return false;
  } catch {
    return true;
  }
};

/**
 * { expression, text, before, width }: with its line, and what is before the caret. Undefined where
 * none on that line is refused.
 */
module.exports = function refusedOn(file, line) {
  const given = current();
  const { regexps: patterns } = internalBinding('source_positions');
  const [text, ...all] = (file === given?.name ? patterns(file, line - given.line + 1, given.text) : patterns(file, line)) ?? [];
  const found = all.find(isRefused);
  if (found === undefined) return undefined;
  const [pattern, flags, column] = found;
  const expression = `/${pattern}/${flags}`;
  return { expression, text, before: text.slice(0, column), width: expression.length };
};
