// Tab completion. In: an Interface, the result of its completer. Out: the line is extended by the
// common prefix of the completions, or the completions are printed in columns.
'use strict';

const { commonPrefix } = require('internal/readline/utils');

/** Calls a completer with a callback. */
function complete(reader, isSecond) {
  reader.pause();
  reader.completer(reader.line.slice(0, reader.cursor), (error, result) => {
    reader.resume();
    if (error) {
      writeError(reader, error);
    } else {
      insertOrPrint(reader, isSecond, result);
    }
  });
}

/** Calls a completer that returns a promise. */
async function completeAsync(reader, isSecond) {
  reader.pause();
  let result;
  try {
    result = await reader.completer(reader.line.slice(0, reader.cursor));
  } catch (error) {
    writeError(reader, error);
    return;
  } finally {
    reader.resume();
  }
  insertOrPrint(reader, isSecond, result);
}

function writeError(reader, error) {
  const { inspect } = require('internal/util/inspect');
  reader._writeToOutput(`Tab completion error: ${inspect(error)}`);
}

function insertOrPrint(reader, isSecond, [completions, text]) {
  if (!completions || completions.length === 0) {
    return;
  }
  const prefix = commonPrefix(completions.filter((completion) => completion !== ''));
  if (prefix.startsWith(text) && prefix.length > text.length) {
    reader._insertString(prefix.slice(text.length));
    return;
  }
  if (!text.startsWith(prefix)) {
    const start = reader.cursor - text.length;
    reader.line = reader.line.slice(0, start) + prefix + reader.line.slice(reader.cursor);
    reader.cursor = start + prefix.length;
    reader._refreshLine();
    return;
  }
  if (isSecond) {
    reader._beforeEdit(reader.line, reader.cursor);
    reader._writeToOutput(formatColumns(completions, reader.columns));
    reader._refreshLine();
  }
}

/** An empty string begins a new group. */
function formatColumns(completions, columns) {
  const { getStringWidth } = require('internal/util/inspect');
  const widths = completions.map((completion) => getStringWidth(completion));
  const width = Math.max(...widths) + 2;
  let columnsMax = Math.floor(columns / width) || 1;
  if (columnsMax === Infinity) {
    columnsMax = 1;
  }
  let output = '\r\n';
  let column = 0;
  let space = 0;
  completions.forEach((completion, index) => {
    if (completion === '' || column === columnsMax) {
      output += '\r\n';
      column = 0;
      space = 0;
    } else {
      output += ' '.repeat(space);
    }
    if (completion === '') {
      output += '\r\n';
    } else {
      output += completion;
      space = width - widths[index];
      column++;
    }
  });
  return column === 0 ? output : `${output}\r\n\r\n`;
}

module.exports = { complete, completeAsync };
