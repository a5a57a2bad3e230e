// Windows paths (`path.win32`). In: strings. Out: strings; both slashes are separators. A path may
// begin with a device (`C:`, `\\server\share`), and a root may follow it.
'use strict';

const { validateString } = require('internal/validators');
const shared = require('internal/path/shared');

const isSeparator = (code) => code === 47 || code === 92;
const isDriveCharacter = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const startsRooted = (path, at) => at < path.length && isSeparator(path.charCodeAt(at));

// Reserved names, which are devices in every directory.
const RESERVED = new Set(['CON', 'PRN', 'AUX', 'NUL', 'COM1', 'COM2', 'COM3', 'COM4', 'COM5', 'COM6', 'COM7', 'COM8', 'COM9',
  'LPT1', 'LPT2', 'LPT3', 'LPT4', 'LPT5', 'LPT6', 'LPT7', 'LPT8', 'LPT9',
  'COM\xb9', 'COM\xb2', 'COM\xb3', 'LPT\xb9', 'LPT\xb2', 'LPT\xb3']);

function isReserved(path, colon) {
  return RESERVED.has(path.slice(0, colon).toUpperCase());
}

// { device, end, isAbsolute }: the part before the root, as it is written; the offset after the
// root.
function split(path) {
  if (startsRooted(path, 0)) {
    return splitUnc(path) ?? { device: '', end: 1, isAbsolute: true };
  }
  if (path.length >= 2 && isDriveCharacter(path.charCodeAt(0)) && path[1] === ':') {
    const isAbsolute = startsRooted(path, 2);
    return { device: path.slice(0, 2), end: isAbsolute ? 3 : 2, isAbsolute };
  }
  return { device: '', end: 0, isAbsolute: false };
}

// `\\server\share`, `\\?\` and `\\.\`.
function splitUnc(path) {
  if (!startsRooted(path, 1)) return undefined;
  let at = 2;
  const word = () => {
    const begin = at;
    while (at < path.length && !isSeparator(path.charCodeAt(at))) at++;
    return path.slice(begin, at);
  };
  const separators = () => {
    const begin = at;
    while (startsRooted(path, at)) at++;
    return at > begin;
  };
  const server = word();
  if (server === '' || !separators() || at === path.length) return undefined;
  if (server === '.' || server === '?') {
    // A UNC root: it always includes the root.
    return { device: `\\\\${server}`, end: 4, isAbsolute: true, isDevice: true };
  }
  const share = word();
  if (share === '') return undefined;
  const end = at;
  return {
    device: `\\\\${server}\\${share}`, end: startsRooted(path, end) ? end + 1 : end, isAbsolute: true, shareEnd: end,
  };
}

function currentOf(device) {
  // Windows has a current directory per drive; other systems have one.
  const current = device === '' ? process.cwd() : (process.env[`=${device}`] || process.cwd());
  const isOther = device !== '' && current.slice(0, 2).toLowerCase() !== device.toLowerCase() && current[2] === '\\';
  return current === undefined || isOther ? `${device}\\` : current;
}

function resolve(...args) {
  let device = '';
  let tail = '';
  let isAbsolute = false;
  for (let i = args.length - 1; i >= -1; i--) {
    let path;
    if (i >= 0) {
      path = args[i];
      validateString(path, `paths[${i}]`);
      if (path.length === 0) continue;
    } else {
      path = currentOf(device);
    }
    const part = split(path);
    if (part.device.length > 0) {
      if (device.length > 0) {
        if (part.device.toLowerCase() !== device.toLowerCase()) continue;
      } else {
        device = part.device;
      }
    }
    if (isAbsolute) {
      if (device.length > 0) break;
    } else {
      tail = `${path.slice(part.end)}\\${tail}`;
      isAbsolute = part.isAbsolute;
      if (isAbsolute && device.length > 0) break;
    }
  }
  tail = shared.normalizeParts(tail, isAbsolute, '\\', isSeparator);
  return isAbsolute ? `${device}\\${tail}` : `${device}${tail}` || '.';
}

function normalize(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  if (path.length === 1) return path === '/' ? '\\' : path;
  const colon = path.indexOf(':');
  const part = split(path);
  if (part.shareEnd === path.length) return `${part.device}\\`;
  const { end } = part;
  let tail = end < path.length ? shared.normalizeParts(path.slice(end), part.isAbsolute, '\\', isSeparator) : '';
  if (tail.length === 0 && !part.isAbsolute) tail = '.';
  if (tail.length > 0 && isSeparator(path.charCodeAt(path.length - 1))) tail += '\\';
  if (!part.isAbsolute && part.device === '' && path.includes(':')) {
    // A relative path must not begin with a drive after normalization.
    if (tail.length >= 2 && isDriveCharacter(tail.charCodeAt(0)) && tail[1] === ':') return `.\\${tail}`;
    let index = path.indexOf(':');
    do {
      if (index === path.length - 1 || isSeparator(path.charCodeAt(index + 1))) return `.\\${tail}`;
    } while ((index = path.indexOf(':', index + 1)) !== -1);
  }
  if (colon > 0 && isReserved(path, colon)) return `.\\${part.device}${tail}`;
  if (part.device === '') return part.isAbsolute ? `\\${tail}` : tail;
  return part.isAbsolute ? `${part.device}\\${tail}` : `${part.device}${tail}`;
}

function isAbsolute(path) {
  validateString(path, 'path');
  return startsRooted(path, 0) ||
    (path.length > 2 && isDriveCharacter(path.charCodeAt(0)) && path[1] === ':' && startsRooted(path, 2));
}

function join(...args) {
  const parts = [];
  for (let i = 0; i < args.length; i++) {
    validateString(args[i], 'path');
    if (args[i].length > 0) parts.push(args[i]);
  }
  if (parts.length === 0) return '.';
  let joined = parts.join('\\');
  const [first] = parts;
  // The result is a UNC path only if the first part begins with two separators and a server.
  let count = 0;
  while (startsRooted(joined, count)) count++;
  let own = 0;
  while (startsRooted(first, own)) own++;
  const isUnc = own === 2 && first.length > 2;
  if (!isUnc && count >= 2) joined = `\\${joined.slice(count)}`;
  // Normalization must not produce the name of a device.
  const isDevice = (part) => part.includes(':') && isReserved(part, part.indexOf(':'));
  return joined.split('\\').some(isDevice) ? joined.replaceAll('/', '\\') : normalize(joined);
}

function relative(from, to) {
  validateString(from, 'from');
  validateString(to, 'to');
  if (from === to) return '';
  const source = resolve(from);
  const target = resolve(to);
  if (source === target) return '';
  if (source.toLowerCase() === target.toLowerCase()) return '';
  const [a, b] = [source, target].map((path) => path.split('\\').filter(Boolean));
  let same = 0;
  while (same < a.length && same < b.length && a[same].toLowerCase() === b[same].toLowerCase()) same++;
  // Paths on different drives have no relative path.
  if (same === 0 && a.length > 0 && b.length > 0) return target;
  return [...a.slice(same).fill('..'), ...b.slice(same)].join('\\');
}

function toNamespacedPath(path) {
  if (typeof path !== 'string' || path.length === 0) return path;
  const resolved = resolve(path);
  if (resolved.length <= 2) return path;
  if (resolved.startsWith('\\\\')) {
    if (resolved[2] !== '?' && resolved[2] !== '.') return `\\\\?\\UNC\\${resolved.slice(2)}`;
  } else if (isDriveCharacter(resolved.charCodeAt(0)) && resolved[1] === ':' && resolved[2] === '\\') {
    return `\\\\?\\${resolved}`;
  }
  return resolved;
}

// End of the root for dirname and parse, without separators that follow; whether the path is only
// the root.
function rootEnd(path) {
  const part = split(path);
  return part.isDevice ? legacyUnc(path) : part.end;
}

// `\\?\x\`: here `?` is treated as a server.
function legacyUnc(path) {
  const rest = path.slice(4);
  const length = rest.search(/[\\/]/);
  return length < 0 ? path.length : 4 + length + 1;
}

function dirname(path) {
  validateString(path, 'path');
  if (path.length === 0) return '.';
  if (path.length === 1) return isSeparator(path.charCodeAt(0)) ? path : '.';
  const root = rootEnd(path);
  const { shareEnd } = split(path);
  if (shareEnd === path.length) return path;
  const part = shared.lastPart(path, root, isSeparator);
  // One separator is removed, repeated ones before it are retained.
  if (part !== null && part.start > root) return path.slice(0, part.start - 1);
  return root > 0 ? path.slice(0, root) : '.';
}

function drive(path) {
  return path.length >= 2 && isDriveCharacter(path.charCodeAt(0)) && path[1] === ':' ? 2 : 0;
}

function basename(path, suffix) {
  return shared.basename(path, suffix, typeof path === 'string' ? drive(path) : 0, isSeparator);
}

function extname(path) {
  return shared.extname(path, typeof path === 'string' ? drive(path) : 0, isSeparator);
}

function parse(path) {
  validateString(path, 'path');
  const parsed = { root: '', dir: '', base: '', ext: '', name: '' };
  if (path.length === 0) return parsed;
  const root = rootEnd(path);
  parsed.root = path.slice(0, root);
  const part = shared.lastPart(path, root, isSeparator);
  if (part === null) {
    if (path.length === 1 && root === 0) {
      parsed.base = parsed.name = path;
    } else {
      parsed.dir = parsed.root;
    }
    return parsed;
  }
  const dot = shared.extensionOf(path, part);
  parsed.base = path.slice(part.start, part.end);
  parsed.name = path.slice(part.start, dot);
  parsed.ext = path.slice(dot, part.end);
  parsed.dir = part.start > root ? path.slice(0, part.start - 1) : parsed.root;
  return parsed;
}

module.exports = {
  resolve,
  normalize,
  isAbsolute,
  join,
  relative,
  toNamespacedPath,
  dirname,
  basename,
  extname,
  format: shared.format.bind(null, '\\'),
  parse,
  matchesGlob(path, pattern) {
    return require('internal/path/glob').matchesGlob(path, pattern, true);
  },
  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
};
module.exports._makeLong = module.exports.toNamespacedPath;
