// Legacy URL API: `url.parse`, `url.format`, `url.resolve`. In: a string, or an object of
// components. Out: objects of the class `Url`, strings. Its behaviour is frozen, for programs that
// rely on it.
'use strict';

const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');

// Schemes whose URLs have no host and are not escaped.
const HOSTLESS = new Set(['javascript', 'javascript:']);
const SLASHED = new Set(['http', 'http:', 'https', 'https:', 'ftp', 'ftp:', 'gopher', 'gopher:', 'file', 'file:', 'ws', 'ws:', 'wss', 'wss:']);
const HOST_UNITS_MAX = 255;
const FORBIDDEN = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const FORBIDDEN_IPV6 = /[\0\t\n\r #%/<>?@\\^|]/;
const ESCAPES = /[\t\n\r "'<>\\^`{|}]/g;
const NOT_OF_HOST = new Set(' "%\';<>\\^`{|}');

let hasWarned = false;

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

function parse(url, parseQueryString, slashesDenoteHost) {
  if (!hasWarned && !require('internal/util').isInsideNodeModules()) {
    hasWarned = true;
    globalThis.process?.emitWarning(
      '`url.parse()` behavior is not standardized and prone to errors that have security implications. ' +
      'Use the WHATWG URL API instead. CVEs are not issued for `url.parse()` vulnerabilities.', 'DeprecationWarning', 'DEP0169');
  }
  return urlOf(url, parseQueryString, slashesDenoteHost);
}

function urlOf(url, parseQueryString, slashesDenoteHost) {
  if (url instanceof Url) return url;
  const parsed = new Url();
  parsed.parse(url, parseQueryString, slashesDenoteHost);
  return parsed;
}

// Trims white space, and replaces backslashes before the query by slashes.
function clean(url) {
  const trimmed = url.replace(/^[\0-\x20\xa0\ufeff]+|[\0-\x20\xa0\ufeff]+$/g, '');
  const end = trimmed.search(/[?#]/);
  return end < 0 ? trimmed.replaceAll('\\', '/') : trimmed.slice(0, end).replaceAll('\\', '/') + trimmed.slice(end);
}

Url.prototype.parse = function(url, parseQueryString, slashesDenoteHost) {
  validateString(url, 'url');
  let rest = clean(url);
  if (!slashesDenoteHost && !rest.includes('#') && !rest.includes('@') && this.parseSimple(rest, parseQueryString)) {
    return this;
  }
  let protocol = /^[a-z0-9.+-]+:/i.exec(rest)?.[0];
  let isHostless = false;
  if (protocol !== undefined) {
    rest = rest.slice(protocol.length);
    protocol = this.protocol = protocol.toLowerCase();
    isHostless = HOSTLESS.has(protocol);
  }
  let slashes = false;
  if (slashesDenoteHost || protocol !== undefined || /^\/\/[^@/]+@[^@/]+/.test(rest)) {
    slashes = rest.startsWith('//');
    if (slashes && !isHostless) {
      rest = rest.slice(2);
      this.slashes = true;
    }
  }
  if (!isHostless && (slashes || (protocol !== undefined && !SLASHED.has(protocol)))) {
    rest = this.takeHost(rest, url);
  }
  if (!isHostless) rest = rest.replace(ESCAPES, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  this.takeRest(rest, protocol, parseQueryString);
  this.href = this.format();
  return this;
};

// Fast path for a path with an optional query, as in the request line of HTTP.
Url.prototype.parseSimple = function(rest, parseQueryString) {
  const simple = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/.exec(rest);
  if (simple === null) return false;
  this.path = rest;
  this.href = rest;
  this.pathname = simple[1];
  if (simple[2] !== undefined) {
    this.search = simple[2];
    this.query = simple[2].slice(1);
    if (parseQueryString) this.query = require('querystring').parse(this.query);
  } else if (parseQueryString) {
    this.search = null;
    this.query = { __proto__: null };
  }
  return true;
};

// Parses the authority; returns the rest.
Url.prototype.takeHost = function(rest, url) {
  let hostEnd = -1;
  let at = -1;
  let nonHost = -1;
  for (let i = 0; i < rest.length && hostEnd < 0; i++) {
    const character = rest[i];
    if (character === '\t' || character === '\n' || character === '\r') {
      // Ignored, as in the WHATWG parser.
      rest = rest.slice(0, i) + rest.slice(i + 1);
      i--;
    } else if (character === '#' || character === '/' || character === '?') {
      if (nonHost < 0) nonHost = i;
      hostEnd = i;
    } else if (character === '@') {
      at = i;
      nonHost = -1;
    } else if (nonHost < 0 && NOT_OF_HOST.has(character)) {
      nonHost = i;
    }
  }
  if (at >= 0) this.auth = decodeURIComponent(rest.slice(0, at));
  this.host = nonHost < 0 ? rest.slice(at + 1) : rest.slice(at + 1, nonHost);
  rest = nonHost < 0 ? '' : rest.slice(nonHost);
  this.parseHost();
  if (typeof this.hostname !== 'string') this.hostname = '';
  return this.checkHost(rest, url);
};

Url.prototype.parseHost = function() {
  let { host } = this;
  const port = /:[0-9]*$/.exec(host)?.[0];
  if (port !== undefined) {
    if (port !== ':') this.port = port.slice(1);
    host = host.slice(0, host.length - port.length);
  }
  if (host) this.hostname = host;
};

Url.prototype.checkHost = function(rest, url) {
  const isIpv6 = isBracketed(this.hostname);
  if (!isIpv6) {
    const wrong = this.hostname.search(/[/\\#?:]/);
    if (this.hostname[wrong] === ':') throw new codes.ERR_INVALID_ARG_VALUE('url', 'Invalid port in url', url);
    if (wrong >= 0) {
      rest = `/${this.hostname.slice(wrong)}${rest}`;
      this.hostname = this.hostname.slice(0, wrong);
    }
  }
  this.hostname = this.hostname.length > HOST_UNITS_MAX ? '' : this.hostname.toLowerCase();
  if (this.hostname !== '') {
    if (isIpv6) {
      if (FORBIDDEN_IPV6.test(this.hostname)) throw new codes.ERR_INVALID_URL(url);
    } else {
      this.hostname = toAscii(this.hostname);
      if (!this.hostname || FORBIDDEN.test(this.hostname)) throw new codes.ERR_INVALID_URL(url);
    }
  }
  this.host = `${this.hostname}${this.port ? `:${this.port}` : ''}`;
  if (isIpv6) {
    this.hostname = this.hostname.slice(1, -1);
    if (rest[0] !== '/') rest = `/${rest}`;
  }
  return rest;
};

function isBracketed(hostname) {
  return hostname.length > 1 && hostname[0] === '[' && hostname.endsWith(']');
}

// IPv4 numbers stay as written, unlike in the WHATWG parser.
function toAscii(hostname) {
  return /^[\0-\x7f]*$/.test(hostname) && !/(?:^|\.)xn--/.test(hostname) ? hostname : internalBinding('url').domainToAscii(hostname);
}

Url.prototype.takeRest = function(rest, protocol, parseQueryString) {
  const hash = rest.indexOf('#');
  if (hash >= 0) {
    this.hash = rest.slice(hash);
    rest = rest.slice(0, hash);
  }
  const question = rest.indexOf('?');
  if (question >= 0) {
    this.search = rest.slice(question);
    this.query = rest.slice(question + 1);
    if (parseQueryString) this.query = require('querystring').parse(this.query);
    rest = rest.slice(0, question);
  } else if (parseQueryString) {
    this.search = null;
    this.query = { __proto__: null };
  }
  if (rest.length > 0) this.pathname = rest;
  if (SLASHED.has(protocol) && this.hostname && !this.pathname) this.pathname = '/';
  if (this.pathname || this.search) this.path = (this.pathname || '') + (this.search || '');
};

function format(urlObject, options) {
  if (typeof urlObject === 'string') {
    urlObject = urlOf(urlObject);
  } else if (typeof urlObject !== 'object' || urlObject === null) {
    throw new codes.ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], urlObject);
  } else if (require('web/url').isURL(urlObject)) {
    return require('internal/url').formatURL(urlObject, options);
  }
  return Url.prototype.format.call(urlObject);
}

Url.prototype.format = function() {
  const auth = this.auth ? `${encodeURIComponent(this.auth).replaceAll('%3A', ':')}@` : '';
  let protocol = this.protocol || '';
  let pathname = this.pathname || '';
  let hash = this.hash || '';
  let host = '';
  if (this.host) {
    host = auth + this.host;
  } else if (this.hostname) {
    const isOpen = this.hostname.includes(':') && !isBracketed(this.hostname);
    host = `${auth}${isOpen ? `[${this.hostname}]` : this.hostname}${this.port ? `:${this.port}` : ''}`;
  }
  let query = '';
  if (this.query !== null && typeof this.query === 'object') query = require('querystring').stringify(this.query);
  let search = this.search || (query && `?${query}`) || '';
  if (protocol && !protocol.endsWith(':')) protocol += ':';
  if (pathname.includes('#') || pathname.includes('?')) pathname = pathname.replaceAll('#', '%23').replaceAll('?', '%3F');
  if (this.slashes || SLASHED.has(protocol)) {
    if (this.slashes || host) {
      if (pathname && pathname[0] !== '/') pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol.startsWith('file')) {
      host = '//';
    }
  }
  if (search.includes('#')) search = search.replaceAll('#', '%23');
  if (hash && hash[0] !== '#') hash = `#${hash}`;
  if (search && search[0] !== '?') search = `?${search}`;
  return protocol + host + pathname + search + hash;
};

function resolve(source, relative) {
  return urlOf(source, false, true).resolve(relative);
}

Url.prototype.resolve = function(relative) {
  return this.resolveObject(urlOf(relative, false, true)).format();
};

function resolveObject(source, relative) {
  return source ? urlOf(source, false, true).resolveObject(relative) : relative;
}

Url.prototype.resolveObject = function(relative) {
  if (typeof relative === 'string') relative = urlOf(relative, false, true);
  const result = Object.assign(new Url(), this);
  // The fragment is always that of the relative URL.
  result.hash = relative.hash;
  if (relative.href === '') {
    result.href = result.format();
    return result;
  }
  if (relative.slashes && !relative.protocol) {
    for (const key of Object.keys(relative)) {
      if (key !== 'protocol') result[key] = relative[key];
    }
    if (SLASHED.has(result.protocol) && result.hostname && !result.pathname) result.path = result.pathname = '/';
    result.href = result.format();
    return result;
  }
  if (relative.protocol && relative.protocol !== result.protocol) return ofOtherProtocol(result, relative);
  return ofSameHost(result, relative);
};

function ofOtherProtocol(result, relative) {
  if (!SLASHED.has(relative.protocol)) {
    Object.assign(result, relative);
    result.href = result.format();
    return result;
  }
  result.protocol = relative.protocol;
  if (!relative.host && !/^file:?$/.test(relative.protocol) && !HOSTLESS.has(relative.protocol)) {
    const parts = (relative.pathname || '').split('/');
    while (parts.length > 0 && !(relative.host = parts.shift()));
    relative.host ||= '';
    relative.hostname ||= '';
    if (parts[0] !== '') parts.unshift('');
    if (parts.length < 2) parts.unshift('');
    result.pathname = parts.join('/');
  } else {
    result.pathname = relative.pathname;
  }
  result.search = relative.search;
  result.query = relative.query;
  result.host = relative.host || '';
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  if (result.pathname || result.search) result.path = (result.pathname || '') + (result.search || '');
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
  return result;
}

function ofSameHost(result, relative) {
  const isSourceAbsolute = result.pathname && result.pathname[0] === '/';
  const isRelativeAbsolute = relative.host || (relative.pathname && relative.pathname[0] === '/');
  let mustEndAbsolute = isRelativeAbsolute || isSourceAbsolute || (result.host && relative.pathname);
  const removesDots = mustEndAbsolute;
  let path = result.pathname ? result.pathname.split('/') : [];
  const own = relative.pathname ? relative.pathname.split('/') : [];
  const hasNoSlashes = result.protocol && !SLASHED.has(result.protocol);
  if (hasNoSlashes) {
    // Temporarily the host is the first segment of the path.
    result.hostname = '';
    result.port = null;
    if (result.host) {
      if (path[0] === '') path[0] = result.host;
      else path.unshift(result.host);
    }
    result.host = '';
    if (relative.protocol) {
      relative.hostname = null;
      relative.port = null;
      result.auth = null;
      if (relative.host) {
        if (own[0] === '') own[0] = relative.host;
        else own.unshift(relative.host);
      }
      relative.host = null;
    }
    mustEndAbsolute &&= own[0] === '' || path[0] === '';
  }
  if (isRelativeAbsolute) {
    if (relative.host || relative.host === '') {
      if (result.host !== relative.host) result.auth = null;
      result.host = relative.host;
      result.port = relative.port;
    }
    if (relative.hostname || relative.hostname === '') {
      if (result.hostname !== relative.hostname) result.auth = null;
      result.hostname = relative.hostname;
    }
    result.search = relative.search;
    result.query = relative.query;
    path = own;
  } else if (own.length > 0) {
    path.pop();
    path = path.concat(own);
    result.search = relative.search;
    result.query = relative.query;
  } else if (relative.search !== null && relative.search !== undefined) {
    if (hasNoSlashes) restoreHost(result, path.shift());
    result.search = relative.search;
    result.query = relative.query;
    if (result.pathname !== null || result.search !== null) result.path = (result.pathname || '') + (result.search || '');
    result.href = result.format();
    return result;
  }
  return withPath(result, relative, path, { mustEndAbsolute, removesDots, hasNoSlashes });
}

function restoreHost(result, host) {
  result.hostname = result.host = host;
  // The part before `@` is `auth`.
  const at = result.host?.indexOf('@') > 0 ? result.host.split('@') : undefined;
  if (at !== undefined) {
    result.auth = at.shift();
    result.host = result.hostname = at.shift();
  }
}

function withPath(result, relative, path, { mustEndAbsolute, removesDots, hasNoSlashes }) {
  if (path.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    result.href = result.format();
    return result;
  }
  let last = path[path.length - 1];
  const endsInSlash = ((result.host || relative.host || path.length > 1) && (last === '.' || last === '..')) || last === '';
  // `..` removes the segment before it.
  let up = 0;
  for (let i = path.length - 1; i >= 0; i--) {
    last = path[i];
    if (last === '.') {
      path.splice(i, 1);
    } else if (last === '..') {
      path.splice(i, 1);
      up++;
    } else if (up > 0) {
      path.splice(i, 1);
      up--;
    }
  }
  if (!mustEndAbsolute && !removesDots) {
    while (up-- > 0) path.unshift('..');
  }
  if (mustEndAbsolute && path[0] !== '' && (!path[0] || path[0][0] !== '/')) path.unshift('');
  if (endsInSlash && !path.join('/').endsWith('/')) path.push('');
  const isAbsolute = path[0] === '' || (path[0] && path[0][0] === '/');
  if (hasNoSlashes) restoreHost(result, isAbsolute ? '' : path.length > 0 ? path.shift() : '');
  mustEndAbsolute ||= result.host && path.length > 0;
  if (mustEndAbsolute && !isAbsolute) path.unshift('');
  if (path.length === 0) {
    result.pathname = null;
    result.path = null;
  } else {
    result.pathname = path.join('/');
  }
  if (result.pathname !== null || result.search !== null) result.path = (result.pathname || '') + (result.search || '');
  result.auth = relative.auth || result.auth;
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
  return result;
}

module.exports = { Url, format, parse, resolve, resolveObject };
