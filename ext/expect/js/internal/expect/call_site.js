// Where a function of this library was called. In: a stack. Out: path, line and column of the first
// frame that is in a file.
'use strict';

/** The first frame of a stack that is in a file: path, line, column. */
function callSite(stack) {
  for (const line of stack.split('\n')) {
    const match = /^\s+at (?:.*? \()?(?:file:\/\/)?(\/.*):(\d+):(\d+)\)?$/.exec(line);
    if (match !== null) return { path: decodePath(match[1], line), line: Number(match[2]), column: Number(match[3]) };
  }
  return undefined;
}

const decodePath = (path, line) => (line.includes('file://') ? decodeURIComponent(path) : path);

module.exports = { callSite };
