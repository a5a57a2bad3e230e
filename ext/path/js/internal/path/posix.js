// POSIX paths (`path.posix`). In: strings. Out: strings; the only separator is `/`.
'use strict';

const { validateString } = require('internal/validators');
const shared = require('internal/path/shared');

const SLASH = 47;
const isSeparator = (code) => code === SLASH;

function resolve(...args) {
  // Fast path: one path that is absolute and normalized.
  let resolved = '';
  let isAbsolute = false;
  for (let i = args.length - 1; i >= 0 && !isAbsolute; i--) {
    const path = args[i];
    validateString(path, `paths[${i}]`);
    if (path.length === 0) continue;
    resolved = resolved === '' ? path : `${path}/${resolved}`;
    isAbsolute = path.charCodeAt(0) === SLASH;
  }
  if (!isAbsolute) {
    const current = process.cwd();
    resolved = resolved === '' ? current : `${current}/${resolved}`;
    isAbsolute = current.charCodeAt(0) === SLASH;
  }
  const normal = shared.normalizeParts(resolved, isAbsolute, '/', isSeparator);
  if (isAbsolute) return `/${normal}`;
  return normal.length > 0 ? normal : '.';
}

function normalize(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const isAbsolute = path.charCodeAt(0) === SLASH;
  const isFolder = path.charCodeAt(path.length - 1) === SLASH;
  let normal = shared.normalizeParts(path, isAbsolute, '/', isSeparator);
  if (normal.length === 0) {
    if (isAbsolute) return '/';
    return isFolder ? './' : '.';
  }
  if (isFolder) normal += '/';
  return isAbsolute ? `/${normal}` : normal;
}

function isAbsolute(path) {
  validateString(path, 'path');
  return path.length > 0 && path.charCodeAt(0) === SLASH;
}

function join(...args) {
  if (args.length === 0) return '.';
  const parts = [];
  for (let i = 0; i < args.length; i++) {
    validateString(args[i], 'path');
    if (args[i].length > 0) parts.push(args[i]);
  }
  return parts.length === 0 ? '.' : normalize(parts.join('/'));
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  from = resolve(from);
  to = resolve(to);
  if (from === to) return '';
  const source = from.split('/').filter(Boolean);
  const target = to.split('/').filter(Boolean);
  let same = 0;
  while (same < source.length && same < target.length && source[same] === target[same]) same++;
  return [...source.slice(same).fill('..'), ...target.slice(same)].join('/');
}

function dirname(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  const part = shared.lastPart(path, 0, isSeparator);
  if (part === null) return '/';
  // Without the separator before the last part; further ones before it are retained.
  const end = part.start - 1;
  if (end === -1) return '.';
  if (end === 0) return '/';
  return end === 1 && path.charCodeAt(0) === SLASH ? '//' : path.slice(0, end);
}

function basename(path, suffix) {
  return shared.basename(path, suffix, 0, isSeparator);
}

function extname(path) {
  return shared.extname(path, 0, isSeparator);
}

function parse(path) {
  validateString(path, 'path');
  const parsed = { root: '', dir: '', base: '', ext: '', name: '' };
  if (path.length === 0) return parsed;
  const isAbsolute = path.charCodeAt(0) === SLASH;
  if (isAbsolute) parsed.root = '/';
  const part = shared.lastPart(path, 0, isSeparator);
  if (part === null) {
    parsed.dir = parsed.root;
    return parsed;
  }
  const dot = shared.extensionOf(path, part);
  parsed.base = path.slice(part.start, part.end);
  parsed.name = path.slice(part.start, dot);
  parsed.ext = path.slice(dot, part.end);
  if (part.start > 1 || (part.start === 1 && !isAbsolute)) parsed.dir = path.slice(0, part.start - 1);
  else if (isAbsolute) parsed.dir = '/';
  return parsed;
}

module.exports = {
  resolve,
  normalize,
  isAbsolute,
  join,
  relative,
  toNamespacedPath(path) { return path; },
  dirname,
  basename,
  extname,
  format: shared.format.bind(null, '/'),
  parse,
  matchesGlob(path, pattern) {
    return require('internal/path/glob').matchesGlob(path, pattern, false);
  },
  sep: '/',
  delimiter: ':',
  win32: null,
  posix: null,
};
module.exports._makeLong = module.exports.toNamespacedPath;
