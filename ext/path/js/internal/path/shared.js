// Path functions shared by POSIX and Windows. In: a path, its separators. Out: its parts.
'use strict';

const { validateObject, validateString } = require('internal/validators');

// Removes `.`, `..` and repeated separators. `isRooted`: `..` above the root is dropped.
function normalizeParts(path, isRooted, separator, isSeparator) {
  const parts = [];
  let begin = 0;
  for (let i = 0; i <= path.length; i++) {
    if (i < path.length && !isSeparator(path.charCodeAt(i))) continue;
    const length = i - begin;
    if (length === 0 || (length === 1 && path[begin] === '.')) {
      // Nothing.
    } else if (length === 2 && path[begin] === '.' && path[begin + 1] === '.') {
      if (parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
      else if (!isRooted) parts.push('..');
    } else {
      parts.push(path.slice(begin, i));
    }
    begin = i + 1;
  }
  return parts.join(separator);
}

// Start and end of the last part, without trailing separators; null: there is none.
function lastPart(path, begin, isSeparator) {
  let end = path.length;
  while (end > begin && isSeparator(path.charCodeAt(end - 1))) end--;
  if (end === begin) return null;
  let start = end;
  while (start > begin && !isSeparator(path.charCodeAt(start - 1))) start--;
  return { start, end };
}

// Start of the extension; `end`: there is none. A name that begins with its only dot has none.
function extensionOf(path, { start, end }) {
  const dot = path.lastIndexOf('.', end - 1);
  if (dot <= start) return end;
  // `..` is a name, not an extension.
  if (dot === end - 1 && dot === start + 1 && path[start] === '.') return end;
  return dot;
}

function basename(path, suffix, begin, isSeparator) {
  if (suffix !== undefined) validateString(suffix, 'suffix');
  validateString(path, 'path');
  const part = lastPart(path, begin, isSeparator);
  const start = part === null ? begin : part.start;
  const name = part === null ? '' : path.slice(start, part.end);
  if (suffix === undefined || suffix.length === 0 || suffix.length > path.length) return name;
  // If the path equals the suffix, the result is empty; with a trailing separator it is not equal.
  if (suffix === path) return '';
  // As in Node, if the suffix is longer than the name, separators after the name are retained.
  if (suffix.length > name.length) return suffix.endsWith(name) ? path.slice(start) : name;
  return suffix.length < name.length && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function extname(path, begin, isSeparator) {
  validateString(path, 'path');
  const part = lastPart(path, begin, isSeparator);
  return part === null ? '' : path.slice(extensionOf(path, part), part.end);
}

function format(separator, pathObject) {
  validateObject(pathObject, 'pathObject');
  const dir = pathObject.dir || pathObject.root;
  const { ext } = pathObject;
  const dotted = ext ? `${ext[0] === '.' ? '' : '.'}${ext}` : '';
  const base = pathObject.base || `${pathObject.name || ''}${dotted}`;
  if (!dir) return base;
  return dir === pathObject.root ? `${dir}${base}` : `${dir}${separator}${base}`;
}

module.exports = { basename, extensionOf, extname, format, lastPart, normalizeParts };
