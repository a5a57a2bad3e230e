// Finds the regular expression literal that the engine rejected: its error names the line only. In:
// a file and a line. Out: the literal and its position. Absent: the reason, which is in the
// engine's message.
'use strict';

const { current } = require('internal/stack/eval_source');

const isInvalid = ([pattern, flags]) => {
  try {
    new RegExp(pattern, flags);
    return false;
  } catch {
    return true;
  }
};

/**
 * { expression, text, before, width }: the literal, its source line, the line's part before the
 * caret, and the number of carets. Undefined where no literal of that line is invalid.
 */
module.exports = function invalidRegExpAt(file, line) {
  const evalSource = current();
  const { regexps } = internalBinding('source_positions');
  const [text, ...literals] = (file === evalSource?.name ? regexps(file, line - evalSource.line + 1, evalSource.source) : regexps(file, line)) ?? [];
  const invalid = literals.find(isInvalid);
  if (invalid === undefined) return undefined;
  const [pattern, flags, column] = invalid;
  const expression = `/${pattern}/${flags}`;
  return { expression, text, before: text.slice(0, column), width: expression.length };
};
