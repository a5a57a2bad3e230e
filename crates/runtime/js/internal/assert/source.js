// The text of the call that an assertion stands in, for its message. In: a frame of a stack. Out: the call as it is written in the file, or
// undefined where the file or the call is not found. Strings, templates and comments are passed over as such; a regular
// expression with a bracket of its own may end the call too early, or make it be given up.
'use strict';

const PAIRS = { '(': ')', '[': ']', '{': '}' };
/** Longer calls are not shown whole by anybody. */
const CALL_MAX = 10000;

function readLines(file) {
  const fs = require('fs');
  const path = file.startsWith('file://') ? require('url').fileURLToPath(file) : file;
  return fs.readFileSync(path, 'utf8');
}

function callAt(file, line, column) {
  let text;
  try {
    text = readLines(file);
  } catch {
    return undefined;
  }
  let offset = 0;
  for (let i = 1; i < line; i++) {
    offset = text.indexOf('\n', offset) + 1;
    if (offset === 0) return undefined;
  }
  return callAround(text, offset + column - 1, offset);
}

/** The call whose name or bracket is at `place`; it begins on the line that begins at `lineStart`. */
function callAround(text, place, lineStart) {
  let start = Math.min(place, text.length);
  while (start > lineStart && /[\w$.?]/.test(text[start - 1])) start--;
  while (start < text.length && /\s/.test(text[start])) start++;
  const name = /^[\w$]+(?:\s*\??\.\s*[\w$]+)*\s*\(/.exec(text.slice(start, start + CALL_MAX));
  if (name === null) return undefined;
  const end = closing(text, start + name[0].length - 1);
  return end === undefined ? undefined : text.slice(start, end + 1);
}

/** Where the bracket that opens at `start` is closed. */
function closing(text, start) {
  const open = [];
  const limit = Math.min(text.length, start + CALL_MAX);
  for (let i = start; i < limit; i++) {
    const letter = text[i];
    if (letter === '"' || letter === "'" || letter === '`') {
      i = endOfString(text, i, limit);
    } else if (letter === '/' && text[i + 1] === '/') {
      i = text.indexOf('\n', i);
      if (i === -1) return undefined;
    } else if (letter === '/' && text[i + 1] === '*') {
      i = text.indexOf('*/', i) + 1;
      if (i === 0) return undefined;
    } else if (letter === '/' && /[(,=:[!&|?{};]\s*$/.test(text.slice(Math.max(0, i - 20), i))) {
      i = endOfPattern(text, i, limit);
    } else if (PAIRS[letter] !== undefined) {
      open.push(PAIRS[letter]);
    } else if (letter === open[open.length - 1]) {
      open.pop();
      if (open.length === 0) return i;
    }
  }
  return undefined;
}

function endOfString(text, start, limit) {
  const quote = text[start];
  for (let i = start + 1; i < limit; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i;
    else if (quote === '`' && text[i] === '$' && text[i + 1] === '{') i = closing(text, i + 1) ?? limit;
  }
  return limit;
}

function endOfPattern(text, start, limit) {
  let isInClass = false;
  for (let i = start + 1; i < limit && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '[') isInClass = true;
    else if (text[i] === ']') isInClass = false;
    else if (text[i] === '/' && !isInClass) return i;
  }
  return limit;
}

/** The message of `assert.ok` that failed: `fn` is what the program called. */
function describeCall(fn) {
  const holder = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(holder, fn);
  Error.stackTraceLimit = stackTraceLimit;
  const frame = /^ {4}at (?:.*? \()?(.+?):(\d+):(\d+)\)?$/m.exec(String(holder.stack));
  const call = frame === null ? undefined : callAt(frame[1], Number(frame[2]), Number(frame[3]));
  if (call === undefined) return 'false == true';
  return `The expression evaluated to a falsy value:\n\n  ${call.split('\n', 1)[0]}\n`;
}

module.exports = { callAround, describeCall };
