// bun's options of `fetch`: `unix`, `proxy`, `tls`, `decompress`, `verbose`, `protocol`,
// `compress`, `maxRedirects`, `timeout`, `session`, and `keepalive: false`. In: the second argument
// of `fetch`. Out: checked options; undefined if there are none. Absent: what they do.
'use strict';

const { isBunUsed } = require('internal/bun_use');

const NAMES = ['unix', 'proxy', 'tls', 'decompress', 'verbose', 'protocol', 'compress', 'maxRedirects', 'timeout', 'keepalive', 'session'];
/** The native client ends what is silent for longer. */
const NATIVE_IDLE_MS = 300_000;
const PROTOCOLS = { '__proto__': null, 'http2': 'http2', 'h2': 'http2', 'http3': 'http3', 'h3': 'http3', 'http1.1': 'http1.1', 'h1': 'http1.1' };

function bunOptions(init) {
  if (typeof init !== 'object' || init === null || !NAMES.some((name) => init[name] !== undefined)) return undefined;
  const { unix, proxy, tls, decompress, verbose, protocol, compress, maxRedirects, timeout, keepalive } = init;
  // What the request says counts more than what its session does.
  const session = init.session === undefined || init.session === null ? undefined : require('web/fetch/fetch_session').settingsOf(init.session);
  return {
    unix: typeof unix === 'string' && unix !== '' ? unix : session?.unix,
    proxy: checkProxy(proxy) ?? session?.proxy,
    tls: typeof tls === 'object' && tls !== null ? tls : session?.tls,
    session,
    ...checkPair(unix, proxy),
    decompress: decompress !== false,
    verbose: verbose === 'curl' ? 'curl' : Boolean(verbose),
    protocol: checkProtocol(protocol),
    compress: checkCompress(compress),
    maxRedirects: checkRedirects(maxRedirects),
    idleMs: idleMsOf(timeout),
    // For Node it is the default, which says nothing about connections.
    isLast: keepalive === false && isBunUsed(),
  };
}

function checkPair(unix, proxy) {
  if (typeof unix !== 'string' || unix === '' || !proxy) return undefined;
  throw Object.assign(new TypeError('fetch() cannot use a proxy with a unix socket.'), { code: 'ERR_INVALID_ARG_VALUE' });
}

/** Infinity: no limit; undefined: the usual one. */
function idleMsOf(timeout) {
  if (timeout === false) return Infinity;
  if (typeof timeout !== 'number') return undefined;
  return Number.isFinite(timeout) && timeout > 0 ? timeout : Infinity;
}

function checkRedirects(count) {
  if (count === undefined || count === null) return undefined;
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw Object.assign(new TypeError("fetch: 'maxRedirects' must be a non-negative integer"), { code: 'ERR_INVALID_ARG_TYPE' });
}

/** `{ encoding, level }`; undefined: the body is sent as it is. */
function checkCompress(value) {
  if (value === undefined || value === null || value === false) return undefined;
  const { encoding, level } = typeof value === 'object' ? value : { encoding: value === true ? 'gzip' : value };
  const { ENCODERS } = require('web/fetch/compressed_body');
  if (typeof encoding === 'string' && encoding in ENCODERS) return { encoding, level: level === undefined ? undefined : Number(level) };
  const message = `fetch: 'compress' must be a boolean, "gzip", "deflate", "br", "zstd", or an object with an "encoding"`;
  throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
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
  if (proxy === false) return { isDirect: true };
  if (proxy === true) {
    throw Object.assign(new TypeError('The "proxy" argument must be a string, a URL, an object with a "url", or false'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  const { URL } = require('web/url');
  const isPlain = typeof proxy === 'string' || proxy instanceof URL;
  if (!isPlain && (typeof proxy !== 'object' || proxy.url === undefined)) return undefined;
  const url = URL.parse(`${isPlain ? proxy : proxy.url}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw Object.assign(new TypeError('fetch() proxy URL is invalid'), { code: 'ERR_INVALID_ARG_VALUE' });
  }
  return {
    url,
    headers: isPlain || proxy.headers === undefined ? [] : [...new Headers(proxy.headers)],
    ignoresBypass: !isPlain && proxy.respectNoProxy === false,
  };
}

/** Whether the native client does not do what the options ask for. */
const needsNode = (options) => options !== undefined &&
  (options.unix !== undefined || options.proxy !== undefined || options.tls !== undefined || options.session !== undefined || options.isLast || options.idleMs > NATIVE_IDLE_MS);

let tlsFlags;

/** Whether flags set defaults of `node:tls`, which the native client does not follow. */
function hasTlsFlags() {
  const { getOptionValue } = require('internal/options');
  const flags = ['--tls-cipher-list', '--tls-min-v1.0', '--tls-min-v1.1', '--tls-min-v1.2', '--tls-min-v1.3', '--tls-max-v1.2', '--tls-max-v1.3', '--tls-keylog'];
  return tlsFlags ??= flags.some((flag) => getOptionValue(flag));
}

/** What the environment says about requests without the option `verbose`. */
let verboseDefault;

/** `'curl'`: a command that sends the same request is printed, too. */
function verboseOf(options) {
  if (options?.verbose) return options.verbose;
  return verboseDefault ??= parseVerbose(require('process').env.BUN_CONFIG_VERBOSE_FETCH);
}

const parseVerbose = (text) => (text === 'curl' ? 'curl' : text === '1' || text === 'true');

const CURL_BODY_BYTES_MAX = 64 * 1024;

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A command of curl that sends the same; a body that is no text is left out. */
function curlCommand({ method, url, headers, body }) {
  const parts = ['curl', '--http1.1', quote(url), '-X', method];
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index].toLowerCase() === 'accept-encoding') parts.push('--compressed');
    else parts.push('-H', quote(`${headers[index]}: ${headers[index + 1]}`));
  }
  const isText = ArrayBuffer.isView(body) && body.length > 0 && body.length <= CURL_BODY_BYTES_MAX && require('buffer').isUtf8(body);
  if (isText) parts.push('--data-raw', quote(require('buffer').Buffer.from(body).toString()));
  return parts.join(' ');
}

/** Prints a request as bun does. */
function printRequest({ method, url: { href: url }, headers, verbose, body }) {
  const lines = [`> HTTP/1.1 ${method} ${url}`];
  if (verbose === 'curl') lines.unshift(curlCommand({ method, url, headers, body }));
  for (let index = 0; index < headers.length; index += 2) lines.push(`> ${headers[index]}: ${headers[index + 1]}`);
  globalThis.console.error(`${lines.join('\n')}\n`);
}

function printResponse({ status, reason, headers }) {
  const lines = [`< ${status} ${reason}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`< ${headers[index]}: ${headers[index + 1]}`);
  globalThis.console.error(`${lines.join('\n')}\n`);
}

module.exports = { bunOptions, checkProxy, hasTlsFlags, needsNode, printRequest, printResponse, verboseOf };
