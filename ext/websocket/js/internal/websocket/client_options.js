// Arguments of `new WebSocket`. In: a URL, and protocols or bun's options. Out: checked options.
// Errors are the WebSockets Standard's, with bun's messages.
'use strict';

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const SCHEMES = { '__proto__': null, 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' };

function syntaxError(message) {
  const { DOMException } = require('web/dom_exception');
  return new DOMException(message, 'SyntaxError');
}

function checkOptions(url, value) {
  const options = typeof value === 'object' && value !== null && typeof value[Symbol.iterator] !== 'function' ? value : { protocols: value };
  const checked = {
    url: checkUrl(url),
    protocols: checkProtocols(options.protocols ?? options.protocol),
    headers: checkHeaders(options.headers),
    proxy: checkProxy(options.proxy),
    tls: options.tls,
    compresses: 'perMessageDeflate' in options ? Boolean(options.perMessageDeflate) : true,
  };
  return checked;
}

function checkUrl(value) {
  const { URL } = require('web/url');
  let url;
  try {
    url = new URL(`${value}`, globalThis.location?.href);
  } catch {
    throw syntaxError(`Invalid url for WebSocket ${value}`);
  }
  if (!(url.protocol in SCHEMES)) throw syntaxError(`Wrong url scheme for WebSocket ${url.href}`);
  url.protocol = SCHEMES[url.protocol];
  if (url.href.includes('#')) throw syntaxError(`URL has fragment component ${url.href}`);
  return url;
}

function checkProtocols(value) {
  if (value === undefined || value === null) return [];
  const protocols = typeof value === 'string' ? [value] : [...value].map(String);
  for (const protocol of protocols) {
    if (!TOKEN.test(protocol)) throw syntaxError(`Wrong protocol for WebSocket '${protocol}'`);
  }
  const seen = new Set();
  for (const protocol of protocols) {
    const name = protocol.toLowerCase();
    if (seen.has(name)) throw syntaxError(`WebSocket protocols contain duplicates: '${protocol}'`);
    seen.add(name);
  }
  return protocols;
}

/** Pairs of names and values. */
function checkHeaders(headers) {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object') throw new TypeError('Type error');
  const { Headers } = globalThis;
  if (headers instanceof Headers || Array.isArray(headers)) return [...new Headers(headers)];
  const pairs = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.push([name, `${one}`]);
  }
  return pairs;
}

/** undefined: none. */
function checkProxy(value) {
  if (value === undefined || value === null || value === '') return undefined;
  const { URL } = require('web/url');
  const isPlain = typeof value === 'string' || value instanceof URL;
  const options = isPlain ? { url: value } : value;
  let url;
  try {
    url = new URL(`${options.url}`);
  } catch {
    throw syntaxError(`Invalid proxy URL: ${options.url}`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw syntaxError(`Unsupported proxy protocol "${url.protocol.slice(0, -1)}" (expected "http" or "https")`);
  return { url, headers: checkHeaders(options.headers), tls: options.tls };
}

module.exports = { checkOptions };
