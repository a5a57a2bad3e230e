// Source text of an assertion's call, for its message. In: a stack frame. Out: the call as it is
// written in the file, or undefined where it is not found. Strings, templates and comments are
// skipped; a parenthesis in a regular expression may end the call too early, or prevent a result.
'use strict';

const { readSource } = require('internal/stack/engine_errors');

const PAIRS = { '(': ')', '[': ']', '{': '}' };
/** Longer calls are not quoted. */
const CALL_MAX = 10000;

function callAt(file, line, column) {
  let text;
  try {
    text = readSource(file);
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

const LETTER = /[\p{ID_Continue}$.?\u200C\u200D]/u;
const CALL = /^[\p{ID_Continue}$]+(?:\s*(?:\?\.)?(?:\.?\s*[\p{ID_Continue}$]+|\[[^\]\n]*\]))*\s*\(/u;

/**
 * The call whose name or parenthesis is at `offset`; it begins on the line at `lineStart`.
 */
function callAround(text, offset, lineStart) {
  let start = Math.min(offset, text.length);
  while (start > lineStart) {
    const before = text[start - 1];
    if (before === ']') {
      const open = text.lastIndexOf('[', start - 2);
      if (open < lineStart) break;
      start = open;
    } else if (LETTER.test(before)) {
      start--;
    } else {
      break;
    }
  }
  while (start < text.length && /[\s.?]/.test(text[start])) start++;
  const name = CALL.exec(text.slice(start, start + CALL_MAX));
  if (name === null) return undefined;
  const end = closing(text, start + name[0].length - 1);
  return end === undefined ? undefined : text.slice(start, end + 1);
}

/** Offset at which the parenthesis at `start` is closed. */
function closing(text, start) {
  const open = [];
  const limit = Math.min(text.length, start + CALL_MAX);
  for (let i = start; i < limit; i++) {
    const char = text[i];
    if (char === '"' || char === "'" || char === '`') {
      i = endOfString(text, i, limit);
    } else if (char === '/' && text[i + 1] === '/') {
      i = text.indexOf('\n', i);
      if (i === -1) return undefined;
    } else if (char === '/' && text[i + 1] === '*') {
      i = text.indexOf('*/', i) + 1;
      if (i === 0) return undefined;
    } else if (char === '/' && /[(,=:[!&|?{};]\s*$/.test(text.slice(Math.max(0, i - 20), i))) {
      i = endOfPattern(text, i, limit);
    } else if (PAIRS[char] !== undefined) {
      open.push(PAIRS[char]);
    } else if (char === open[open.length - 1]) {
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

/** The only call of an assertion in a literal argument of `eval` or `Function`. */
function callWithin(line) {
  if (!/\beval\s*\(|\bFunction\s*\(/.test(line)) return undefined;
  const found = [];
  for (let i = 0; i < line.length; i++) {
    if (line[i] !== '"' && line[i] !== "'") continue;
    const end = endOfString(line, i, line.length);
    const text = line.slice(i + 1, end).replace(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char));
    for (const { index, 0: { length } } of text.matchAll(/\b(?:assert|ok)\s*\(/g)) found.push(callAround(text, index + length - 1, 0));
    i = end;
  }
  return found.length === 1 ? found[0] : undefined;
}

const PLACED = /^ {4}at (?:.*? \()?([^()]+?):(\d+):(\d+)\)?$/;

/** The call of an assertion, from the frames of its callers. */
function findCall(frames) {
  const [first] = frames;
  const direct = PLACED.exec(first);
  if (direct !== null) return callAt(direct[1], Number(direct[2]), Number(direct[3]));
  // Frames of `call` and `apply` have no position, and no frame has the source of `eval`.
  const around = frames.map((frame) => PLACED.exec(frame)).find((found) => found !== null);
  if (around === undefined) return undefined;
  const [, file, line, column] = around;
  if (/at (?:Function\.)?(?:call|apply) \((?:native|<anonymous>)\)$/.test(first)) return callAt(file, Number(line), Number(column));
  try {
    return callWithin(readSource(file).split('\n', Number(line))[Number(line) - 1]);
  } catch {
    return undefined;
  }
}

/** The message of a failed `assert.ok`; `fn`: the function that the program called. */
function describeCall(fn) {
  const holder = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 3;
  Error.captureStackTrace(holder, fn);
  Error.stackTraceLimit = stackTraceLimit;
  const frames = String(holder.stack).split('\n').filter((line) => line.startsWith('    at '));
  const call = frames.length === 0 ? undefined : findCall(frames);
  if (call === undefined) return 'false == true';
  const shown = call.split('\n', 1)[0].replace(/[\0-\x08\x0B-\x1F]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `The expression evaluated to a falsy value:\n\n  ${shown}\n`;
}

module.exports = { callAround, describeCall };
