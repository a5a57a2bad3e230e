// Completion. In: an Interface, what its completer found for the text before the cursor. Out: the
// line with what all finds have in common, or the finds, in columns. Absent: finding.
'use strict';

const { commonPrefix } = require('internal/readline/utils');

/** A completer with a callback; one with a promise. */
function complete(reader, isSecond) {
  reader.pause();
  reader.completer(reader.line.slice(0, reader.cursor), (error, found) => {
    reader.resume();
    if (error) {
      tellFailure(reader, error);
    } else {
      show(reader, isSecond, found);
    }
  });
}

async function completeLater(reader, isSecond) {
  reader.pause();
  let found;
  try {
    found = await reader.completer(reader.line.slice(0, reader.cursor));
  } catch (error) {
    tellFailure(reader, error);
    return;
  } finally {
    reader.resume();
  }
  show(reader, isSecond, found);
}

function tellFailure(reader, error) {
  const { inspect } = require('internal/util/inspect');
  reader._writeToOutput(`Tab completion error: ${inspect(error)}`);
}

function show(reader, isSecond, [finds, text]) {
  if (!finds || finds.length === 0) {
    return;
  }
  const prefix = commonPrefix(finds.filter((find) => find !== ''));
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
    reader._writeToOutput(inColumns(finds, reader.columns));
    reader._refreshLine();
  }
}

/** An empty one begins a new group. */
function inColumns(finds, columns) {
  const { getStringWidth } = require('internal/util/inspect');
  const widths = finds.map((find) => getStringWidth(find));
  const width = Math.max(...widths) + 2;
  let most = Math.floor(columns / width) || 1;
  if (most === Infinity) {
    most = 1;
  }
  let output = '\r\n';
  let column = 0;
  let space = 0;
  finds.forEach((find, index) => {
    if (find === '' || column === most) {
      output += '\r\n';
      column = 0;
      space = 0;
    } else {
      output += ' '.repeat(space);
    }
    if (find === '') {
      output += '\r\n';
    } else {
      output += find;
      space = width - widths[index];
      column++;
    }
  });
  return column === 0 ? output : `${output}\r\n\r\n`;
}

module.exports = { complete, completeLater };
