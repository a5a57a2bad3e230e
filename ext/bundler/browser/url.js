// `node:url` in browsers: the old functions over URL. In: URLs as text. Out: their parts.
'use strict';

const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');
const querystring = require('querystring');

class Url {
  constructor() {
    Object.assign(this, {
      protocol: null, slashes: null, auth: null, host: null, port: null, hostname: null,
      hash: null, search: null, query: null, pathname: null, path: null, href: '',
    });
  }

  format() { return format(this); }
  resolve(to) { return resolve(this.href, to); }
}

/** Parts of a URL, which may be relative. `parsesQuery`: `query` is an object. */
function parse(text, parsesQuery = false, slashesDenoteHost = false) {
  validateString(text, 'url');
  const url = new Url();
  const [, scheme, slashes, authority, path, search, hash] =
    /^\s*([a-z][a-z\d.+-]*:)?(?:(\/\/)([^/?#]*))?([^?#]*)(\?[^#]*)?(#[^]*)?$/i.exec(text.trim().replace(/\\/g, '/'));
  url.protocol = scheme?.toLowerCase() ?? null;
  let pathname = path;
  if (slashes !== undefined && (scheme !== undefined || slashesDenoteHost)) {
    url.slashes = true;
    const at = authority.lastIndexOf('@');
    if (at >= 0) url.auth = decodeURIComponent(authority.slice(0, at));
    const [, hostname, port] = /^(.*?)(?::(\d*))?$/.exec(authority.slice(at + 1));
    url.hostname = hostname.toLowerCase().replace(/^\[|\]$/g, '');
    url.port = port || null;
    url.host = hostname.toLowerCase() + (port ? `:${port}` : '');
    if (pathname === '' && /^(https?|ftp|wss?|file):$/.test(url.protocol ?? '')) pathname = '/';
  } else if (url.protocol === 'mailto:' && pathname.includes('@')) {
    [url.auth, url.host] = pathname.split('@');
    url.hostname = url.host;
    pathname = '';
  } else if (slashes !== undefined) {
    pathname = slashes + authority + path;
  }
  url.search = search ?? (parsesQuery ? '' : null);
  url.query = parsesQuery ? querystring.parse((search ?? '').slice(1)) : search?.slice(1) ?? null;
  url.hash = hash ?? null;
  url.pathname = pathname === '' ? null : pathname.replace(/[ "<>`{}|^]/g, encodeURIComponent);
  url.path = url.pathname === null && search === undefined ? null : (url.pathname ?? '') + (search ?? '');
  url.href = format(url);
  return url;
}

function format(value, options = {}) {
  if (typeof value === 'string') return format(parse(value));
  if (value instanceof URL) {
    const url = new URL(value);
    if (options.fragment === false) url.hash = '';
    if (options.search === false) url.search = '';
    if (options.auth === false) [url.username, url.password] = ['', ''];
    return url.href;
  }
  const protocol = value.protocol ? value.protocol.replace(/:?$/, ':') : '';
  const query = value.query !== null && typeof value.query === 'object' ? querystring.stringify(value.query) : '';
  const search = value.search || (query && `?${query}`);
  const auth = value.auth ? `${encodeURIComponent(value.auth).replace(/%3A/i, ':')}@` : '';
  const name = value.hostname?.includes(':') ? `[${value.hostname}]` : value.hostname;
  const host = value.host ? auth + value.host : name ? auth + name + (value.port ? `:${value.port}` : '') : '';
  const hasSlashes = value.slashes || (/^(https?|ftp|file|wss?):$/.test(protocol) && host !== '');
  const pathname = value.pathname ?? '';
  const path = (host !== '' && pathname !== '' && pathname[0] !== '/' ? `/${pathname}` : pathname).replace(/[?#]/g, encodeURIComponent);
  const hash = value.hash && value.hash[0] !== '#' ? `#${value.hash}` : value.hash ?? '';
  return `${protocol}${hasSlashes ? '//' : ''}${host}${path}${(search ?? '').replace(/#/g, '%23').replace(/^(?=[^?])/, '?')}${hash}`;
}

/** A relative URL seen from another one, which may be relative itself. */
function resolve(from, to) {
  const { href, protocol, pathname, search, hash } = new URL(to, new URL(from, 'resolve://'));
  if (protocol !== 'resolve:') return href;
  const isRooted = from.startsWith('/') || to.startsWith('/');
  return (isRooted ? pathname : pathname.replace(/^\//, '')) + search + hash;
}

function fileURLToPath(url) {
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'file:') throw new codes.ERR_INVALID_ARG_VALUE('url', url, 'must be of scheme file');
  return decodeURIComponent(pathname);
}

function pathToFileURL(path) {
  return new URL(`file://${path.replace(/[%\\\n\r\t?#]/g, encodeURIComponent)}`);
}

module.exports = {
  Url,
  parse,
  format,
  resolve,
  resolveObject: (from, to) => parse(resolve(from, to)),
  fileURLToPath,
  pathToFileURL,
  domainToASCII: (domain) => URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : '',
  domainToUnicode: (domain) => domain,
  urlToHttpOptions: ({ protocol, hostname, hash, search, pathname, href, port, username, password }) => ({
    protocol, hostname, hash, search, pathname, href, path: `${pathname}${search}`,
    ...(port !== '' && { port: Number(port) }), ...(username !== '' && { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
  }),
  URL,
  URLSearchParams,
};
