// bun's options of `fetch`: `unix`, `proxy`, `tls`, `decompress`, `verbose`, `protocol`. In: the
// second argument of `fetch`. Out: checked options; undefined if there are none. Absent: what they
// do.
'use strict';

const NAMES = ['unix', 'proxy', 'tls', 'decompress', 'verbose', 'protocol'];
const PROTOCOLS = { '__proto__': null, 'http2': 'http2', 'h2': 'http2', 'http3': 'http3', 'h3': 'http3', 'http1.1': 'http1.1', 'h1': 'http1.1' };

function bunOptions(init) {
  if (typeof init !== 'object' || init === null || !NAMES.some((name) => init[name] !== undefined)) return undefined;
  const { unix, proxy, tls, decompress, verbose, protocol } = init;
  return {
    unix: typeof unix === 'string' && unix !== '' ? unix : undefined,
    proxy: checkProxy(proxy),
    tls: typeof tls === 'object' && tls !== null ? tls : undefined,
    decompress: decompress !== false,
    isVerbose: Boolean(verbose),
    protocol: checkProtocol(protocol),
  };
}

/** The version of HTTP that is asked for; undefined: any. */
function checkProtocol(protocol) {
  if (typeof protocol !== 'string') return undefined;
  const version = PROTOCOLS[protocol];
  const { genericNodeError } = require('internal/errors');
  if (version === undefined) {
    const message = `fetch: 'protocol' must be "http2", "h2", "http3", "h3", "http1.1", or "h1"`;
    throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  if (version === 'http3') {
    throw new TypeError('fetch failed', { cause: genericNodeError('HTTP/3 is not supported', { code: 'HTTP3Unsupported' }) });
  }
  return version;
}

function checkProxy(proxy) {
  if (proxy === undefined || proxy === null || proxy === '') return undefined;
  const { URL } = require('web/url');
  const isPlain = typeof proxy === 'string' || proxy instanceof URL;
  if (!isPlain && (typeof proxy !== 'object' || proxy.url === undefined)) return undefined;
  const url = URL.parse(`${isPlain ? proxy : proxy.url}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw Object.assign(new TypeError('fetch() proxy URL is invalid'), { code: 'ERR_INVALID_ARG_VALUE' });
  }
  return { url, headers: isPlain || proxy.headers === undefined ? [] : [...new Headers(proxy.headers)] };
}

/** Whether the native client does not do what the options ask for. */
const needsNode = (options) => options !== undefined && (options.unix !== undefined || options.proxy !== undefined || options.tls !== undefined);

let tlsFlags;

/** Whether flags set defaults of `node:tls`, which the native client does not follow. */
function hasTlsFlags() {
  const { getOptionValue } = require('internal/options');
  const flags = ['--tls-cipher-list', '--tls-min-v1.0', '--tls-min-v1.1', '--tls-min-v1.2', '--tls-min-v1.3', '--tls-max-v1.2', '--tls-max-v1.3', '--tls-keylog'];
  return tlsFlags ??= flags.some((flag) => getOptionValue(flag));
}

/** Prints a request as bun does. */
function printRequest({ method, url, headers }) {
  const lines = [`> HTTP/1.1 ${method} ${url}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`> ${headers[index]}: ${headers[index + 1]}`);
  globalThis.console.error(`${lines.join('\n')}\n`);
}

function printResponse({ status, reason, headers }) {
  const lines = [`< ${status} ${reason}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`< ${headers[index]}: ${headers[index + 1]}`);
  globalThis.console.error(`${lines.join('\n')}\n`);
}

module.exports = { bunOptions, hasTlsFlags, needsNode, printRequest, printResponse };
