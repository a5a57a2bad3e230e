// File URLs, domains and options of HTTP requests, as in Node's lib/internal/url.js. In: URLs,
// paths. Out: paths, URLs, options. Absent: parsing (web/url), `url.parse` (internal/url/legacy).
'use strict';

const { codes } = require('internal/errors');
const { validateObject, validateString } = require('internal/validators');
const { URL, URLSearchParams, isURL: isInstance } = require('web/url');

const binding = internalBinding('url');

// A URL of this realm, or an object with the members of one of another realm.
function isURL(value) {
  return isInstance(value) || Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

function toFileUrl(path) {
  if (typeof path === 'string') return new URL(path);
  if (!isURL(path)) throw new codes.ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], path);
  return path;
}

function fileURLToPath(path, options = undefined) {
  const url = toFileUrl(path);
  if (url.protocol !== 'file:') throw new codes.ERR_INVALID_URL_SCHEME('file');
  return options?.windows ? windowsPath(url) : posixPath(url);
}

function invalidPath(message, url) {
  throw new codes.ERR_INVALID_FILE_URL_PATH(message, url);
}

function posixPath(url) {
  if (url.hostname !== '') throw new codes.ERR_INVALID_FILE_URL_HOST('linux');
  const { pathname } = url;
  if (!pathname.includes('%')) return pathname;
  if (/%2f/i.test(pathname)) invalidPath('must not include encoded / characters', url);
  return decodeURIComponent(pathname);
}

function windowsPath(url) {
  let { pathname } = url;
  if (/%2f|%5c/i.test(pathname)) invalidPath('must not include encoded \\ or / characters', url);
  pathname = decodeURIComponent(pathname.replaceAll('/', '\\'));
  if (url.hostname !== '') return `\\\\${domainToUnicode(url.hostname)}${pathname}`;
  if (!/^.[A-Za-z]:/.test(pathname)) invalidPath('must be absolute', url);
  return pathname.slice(1);
}

// A path need not be UTF-8.
function fileURLToPathBuffer(path, options = undefined) {
  const { Buffer } = require('buffer');
  const url = toFileUrl(path);
  if (url.protocol !== 'file:') throw new codes.ERR_INVALID_URL_SCHEME('file');
  if (options?.windows) return Buffer.from(windowsPath(url));
  if (url.hostname !== '') throw new codes.ERR_INVALID_FILE_URL_HOST('linux');
  if (/%2f/i.test(url.pathname)) invalidPath('must not include encoded / characters', url);
  const text = url.pathname.replace(/%([0-9a-fA-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(text, 'latin1');
}

const ESCAPED = { '%': '%25', '\\': '%5C', '\n': '%0A', '\r': '%0D', '\t': '%09', '?': '%3F', '#': '%23',
  '[': '%5B', ']': '%5D', '^': '%5E', '|': '%7C', '~': '%7E' };

function pathToFileURL(filepath, options = undefined) {
  validateString(filepath, 'path');
  const isWindows = Boolean(options?.windows);
  const { posix, win32 } = require('path');
  if (isWindows && /^(?:\\\\|\/\/)/.test(filepath)) return shareUrl(filepath);
  let resolved = isWindows ? win32.resolve(filepath) : posix.resolve(filepath);
  const last = filepath[filepath.length - 1];
  if ((last === '/' || (isWindows && last === '\\')) && !resolved.endsWith(isWindows ? '\\' : '/')) resolved += '/';
  if (isWindows) resolved = `/${resolved.replaceAll('\\', '/').replace(/^\//, '')}`;
  const escaped = resolved.replace(/[%\\\n\r\t?#[\]^|~]/g, (character) => ESCAPED[character]);
  // The parser strips trailing spaces and controls, which belong to a path.
  return new URL(`file://${escaped.replace(/[\0- ]+$/, encodeURIComponent)}`);
}

// `\\server\share\path`.
function shareUrl(filepath) {
  const isUnc = filepath.startsWith('\\\\?\\UNC\\');
  const begin = isUnc ? 8 : 2;
  const end = filepath.indexOf('\\', begin);
  if (end === -1) throw new codes.ERR_INVALID_ARG_VALUE('path', filepath, 'Missing UNC resource path');
  if (end === 2) throw new codes.ERR_INVALID_ARG_VALUE('path', filepath, 'Empty UNC servername');
  const url = new URL('file:///');
  url.hostname = binding.domainToAscii(filepath.slice(begin, end));
  url.pathname = filepath.slice(end).replaceAll('\\', '/').replace(/[%\n\r\t?#]/g, (character) => ESCAPED[character]);
  return url;
}

function toPathIfFileURL(path) {
  return isURL(path) ? fileURLToPath(path) : path;
}

function urlToHttpOptions(url) {
  validateObject(url, 'url', require('internal/validators').kValidateObjectAllowObjects);
  const { hostname, pathname, port, username, password, search } = url;
  const options = {
    __proto__: null,
    ...url,
    protocol: url.protocol,
    hostname: hostname && hostname[0] === '[' ? hostname.slice(1, -1) : hostname,
    hash: url.hash,
    search,
    pathname,
    path: `${pathname || ''}${search || ''}`,
    href: url.href,
  };
  if (port !== '') options.port = Number(port);
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

function domainToASCII(domain) {
  if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('domain');
  return binding.domainToAscii(`${domain}`);
}

function domainToUnicode(domain) {
  if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('domain');
  return binding.domainToUnicode(`${domain}`);
}

// `url.format` of a WHATWG URL.
function formatURL(url, options) {
  let { fragment = true, unicode = false, search = true, auth = true } = options ?? {};
  if (options) {
    validateObject(options, 'options');
    if (options.fragment != null) fragment = Boolean(options.fragment);
    if (options.unicode != null) unicode = Boolean(options.unicode);
    if (options.search != null) search = Boolean(options.search);
    if (options.auth != null) auth = Boolean(options.auth);
  }
  const copy = new URL(url.href);
  if (!fragment) copy.hash = '';
  if (!search) copy.search = '';
  if (!auth) {
    copy.username = '';
    copy.password = '';
  }
  const { href, host, hostname } = copy;
  if (!unicode || hostname === '') return href;
  const at = href.indexOf(host, copy.protocol.length);
  return `${href.slice(0, at)}${domainToUnicode(hostname) || hostname}${href.slice(at + hostname.length)}`;
}

module.exports = {
  URL, URLSearchParams, domainToASCII, domainToUnicode, fileURLToPath, fileURLToPathBuffer, formatURL, isURL, pathToFileURL,
  toPathIfFileURL, urlToHttpOptions,
};
