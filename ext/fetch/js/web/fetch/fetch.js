// `fetch`: the Fetch Standard, 4. In: a request. Out: a promise of its response, from the network
// or from a `data:` or `blob:` URL. Redirects are followed here. Absent: cookies, caches, modes.
'use strict';

const { isBunUsed } = require('internal/bun_use');
const { Request, requestState } = require('web/fetch/request');
const { NULL_BODY_STATUSES, REDIRECT_STATUSES, makeResponse } = require('web/fetch/response');
const { HeadersList } = require('web/fetch/headers');
const { Body, chunkBytes } = require('web/fetch/body');
const { URL } = require('web/url');

const REDIRECTS_MAX = 20;
const REDIRECTS_MAX_OF_BUN = 126;
/** Fields that are removed in a cross-origin redirect. */
const CROSS_ORIGIN_REMOVED = ['authorization', 'proxy-authorization', 'cookie', 'host'];
/** Request-body-header names: removed together with the body. */
const REQUEST_BODY_HEADERS = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length'];
/** The Fetch Standard, 2.9: port blocking. */
const BAD_PORTS = new Set((
  '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 ' +
  '161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 ' +
  '4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080').split(' '));

/** `code`: of the error in programs that use Bun, where its cause has none. */
const networkError = (cause, code = undefined) => requestError('fetch failed', cause, code);

function requestError(message, cause, code) {
  const error = new TypeError(message, { cause });
  return isBunUsed() ? require('web/fetch/bun_request').withReason(error, cause, code) : error;
}

/** Programs tell it from an async function. */
function fetch(input, init = undefined) { return fetchRequest(arguments.length, input, init); }

async function fetchRequest(count, input, init) {
  if (count === 0) throw new TypeError('fetch: 1 argument required, but 0 found.');
  const isForBun = isBunUsed();
  if (isForBun && !(input instanceof Request)) [input, init] = require('web/fetch/bun_request').fromObject(input, init);
  const request = requestState(new Request(input, init));
  request.signal?.throwIfAborted();
  const { protocol } = request.url;
  const options = require('web/fetch/bun_options').bunOptions(init);
  if (protocol === 'http:' || protocol === 'https:') {
    if (isForBun) addAuthorization(request);
    return httpFetch(request, options);
  }
  if (protocol === 'data:') return dataResponse(request);
  if (protocol === 'blob:') return blobResponse(request);
  if (protocol === 'about:') throw networkError(new Error('about scheme is not supported'));
  if (protocol === 'file:' && isForBun) return require('web/fetch/bun_request').fileResponse(request);
  throw networkError(new Error(protocol === 'file:' ? 'not implemented... yet...' : 'unknown scheme'));
}

/** Sends the credentials of the URL, as bun does. */
function addAuthorization({ url, list }) {
  const authorization = require('web/fetch/bun_request').authorizationOf(url);
  if (authorization !== undefined && !list.has('authorization')) list.append('authorization', authorization);
}

/** Opens a connection for a request that follows soon, as in bun. */
function preconnect(url) {
  const { invalidArgType } = require('internal/bun/environment');
  if (arguments.length === 0) {
    throw Object.assign(new TypeError("Not enough arguments to 'fetch.preconnect'. Expected 1, got 0."), { code: 'ERR_MISSING_ARGS' });
  }
  const target = URL.parse(typeof url === 'object' && url !== null && 'url' in url ? url.url : `${url}`);
  if (target === null) throw invalidArgType('Invalid URL');
  const isSecure = target.protocol === 'https:';
  if (!isSecure && target.protocol !== 'http:') throw invalidArgType('URL must be HTTP or HTTPS');
  if (BAD_PORTS.has(target.port)) return;
  const authorities = isSecure ? require('internal/tls/root_certificates').chosenCertificates() : undefined;
  internalBinding('fetch_client').preconnect(isSecure, target.hostname.replace(/^\[|\]$/g, ''), Number(target.port) || (isSecure ? 443 : 80), authorities);
}
Object.defineProperty(fetch, 'preconnect', { __proto__: null, value: preconnect, writable: true, configurable: true, enumerable: true });

function dataResponse({ url }) {
  const data = require('web/fetch/data_url').parse(url);
  if (data === null) throw networkError(new Error('failed to fetch the data URL'));
  const list = new HeadersList();
  list.set('Content-Type', data.type);
  const body = new Body({ source: data.bytes, length: data.bytes.length });
  return makeResponse({ status: 200, statusText: 'OK', list, body, url: url.href, isRedirected: false });
}

function blobResponse({ url, method, list: requestHeaders }) {
  const blob = require('internal/blob').resolveObjectURL(url.href);
  if (method !== 'GET' || blob === undefined) throw networkError(new Error('invalid method'));
  const list = new HeadersList();
  const range = requestHeaders.get('range');
  let [slice, status, statusText] = [blob, 200, 'OK'];
  if (range !== null) {
    const [start, end] = parseRange(range, blob.size);
    slice = blob.slice(start, end + 1, blob.type);
    [status, statusText] = [206, 'Partial Content'];
    list.set('Content-Range', `bytes ${start}-${end}/${blob.size}`);
  }
  list.set('Content-Length', `${slice.size}`);
  list.set('Content-Type', slice.type);
  return makeResponse({
    status, statusText, list, body: new Body({ source: slice, length: slice.size }), url: url.href, isRedirected: false,
  });
}

/** Parses `bytes=1-5`, `bytes=3-`, `bytes=-2`. */
function parseRange(range, size) {
  const match = /^bytes[\t ]*=[\t ]*(\d*)[\t ]*-[\t ]*(\d*)$/.exec(range);
  if (match === null || (match[1] === '' && match[2] === '')) throw networkError(new Error('failed to fetch the data URL'));
  const [start, end] = match[1] === '' ? [Math.max(size - Number(match[2]), 0), size - 1] : [
    Number(match[1]), match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1),
  ];
  if (start >= size || start > end) throw networkError(new Error("Range start is greater than the blob's size."));
  return [start, end];
}

async function httpFetch({ list, redirect, signal, integrity, ...state }, options) {
  let request = { ...state, list: list.copy(), options };
  if (options?.compress !== undefined) await require('web/fetch/compressed_body').compressBody(request);
  const redirectsMax = options?.maxRedirects ?? (isBunUsed() ? REDIRECTS_MAX_OF_BUN : REDIRECTS_MAX);
  for (let count = 0; ; count++) {
    const result = await httpNetworkFetch(request, signal, redirect === 'follow');
    if (!REDIRECT_STATUSES.has(result.status) || redirect === 'manual') return toResponse(result, request, count > 0, integrity);
    if (redirect === 'error') {
      result.exchange.close();
      throw networkError(new Error('unexpected redirect'));
    }
    const location = result.list.get('location');
    if (location === null) return toResponse(result, request, count > 0, integrity);
    result.finish();
    result.exchange.close();
    if (count === redirectsMax) throw networkError(new Error('redirect count exceeded'), 'TooManyRedirects');
    request = redirectRequest(request, result, location);
  }
}

/** The request to the target of a redirect: the Fetch Standard, "HTTP-redirect fetch". */
function redirectRequest({ url, method, list, body, options, ...kept }, { status, list: responseList }, location) {
  let target;
  try {
    target = new URL(Buffer.from(location, 'latin1').toString(), url);
  } catch (cause) {
    throw networkError(cause);
  }
  if (target.protocol !== 'http:' && target.protocol !== 'https:') throw networkError(new Error('URL scheme must be a HTTP(S) scheme'));
  // The fragment is inherited.
  if (target.hash === '') target.hash = url.hash;
  if (status !== 303 && body !== null && body.source === undefined) throw networkError(new Error('request body has no source'));
  const isChanged = ((status === 301 || status === 302) && method === 'POST') ||
    (status === 303 && method !== 'GET' && method !== 'HEAD');
  if (isChanged) {
    [method, body] = ['GET', null];
    for (const name of REQUEST_BODY_HEADERS) list.delete(name);
  }
  if (target.origin !== url.origin) {
    for (const name of CROSS_ORIGIN_REMOVED) list.delete(name);
  }
  // Where another server leads to is not on the same Unix socket.
  const referrerPolicy = require('web/fetch/referrer').policyAfter(kept.referrerPolicy, responseList);
  return { ...kept, url: target, method, list, body, referrerPolicy, options: options && { ...options, unix: undefined } };
}

/** Sends one request and waits for the head of its response. */
async function httpNetworkFetch(request, signal, follows) {
  const { url, method, body } = request;
  const options = withProxy(request);
  const isSecure = url.protocol === 'https:';
  if (BAD_PORTS.has(url.port)) throw networkError(new Error('bad port'));
  const { hasTlsFlags, needsNode, printRequest, printResponse, verboseOf } = require('web/fetch/bun_options');
  const verbose = verboseOf(options);
  const isByNode = needsNode(options) || (isSecure && hasTlsFlags()) || require('internal/net/interception').isConnectReplaced();
  const Exchange = isByNode ? require('web/fetch/node_transport').NodeExchange : require('web/fetch/transport').Exchange;
  const { upload, stream } = await uploadBody(body);
  signal?.throwIfAborted();
  const headersSent = headersToSend(request, upload);
  if (verbose) printRequest({ method, url, headers: headersSent, verbose, body: upload });
  let exchange = new Exchange({
    method,
    isSecure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 443 : 80),
    target: `${url.pathname}${url.search}`,
    headers: headersSent,
    body: isEmpty(upload) ? undefined : upload,
    decompress: method !== 'HEAD' && options?.decompress !== false,
    options: options ?? {},
    url,
    authorities: isSecure ? require('internal/tls/root_certificates').chosenCertificates() : undefined,
  });
  if (options?.idleMs < Infinity) exchange = new (require('web/fetch/idle_timeout').TimedExchange)(exchange, options.idleMs);
  const abortion = closeOnAbort(signal, exchange);
  try {
    // Sending the body may fail before the response begins.
    const sending = stream && sendBody(stream, exchange);
    const { status, reason, headers } = await (sending ? Promise.race([exchange.head, sending.then(() => exchange.head)]) : exchange.head);
    if (verbose) printResponse({ status, reason, headers });
    const responseHeaders = new HeadersList();
    for (let i = 0; i < headers.length; i += 2) responseHeaders.append(headers[i], headers[i + 1]);
    return { status, reason, list: responseHeaders, exchange, finish: abortion.finish, method, follows };
  } catch (error) {
    abortion.finish();
    exchange.close();
    if (signal?.aborted) throw signal.reason;
    throw exchange.timeoutError ?? networkError(error);
  }
}

/**
 * The options of a request, with the proxy that it goes by: its own, or the one that the program or
 * the environment has set for all.
 */
function withProxy({ url, options }) {
  if (options?.unix !== undefined) return options?.proxy?.isDirect ? { ...options, proxy: undefined } : options;
  if (options?.proxy !== undefined) return { ...options, proxy: require('web/fetch/bun_proxy').chooseProxy(url, options.proxy) };
  const env = require('internal/http/global_proxy').globalEnv();
  const proxy = env && require('internal/http/env_proxy').proxyOfFetch(env, url);
  const chosen = proxy ?? (isBunUsed() ? require('web/fetch/bun_proxy').chooseProxy(url, undefined) : undefined);
  return chosen === undefined ? options : { decompress: true, ...options, proxy: chosen };
}

/** Closes an exchange when the signal aborts; the response body then fails with its reason. */
function closeOnAbort(signal, exchange) {
  if (!signal) return { finish() {} };
  const abort = () => exchange.close(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return { finish() { signal.removeEventListener('abort', abort); } };
}

async function uploadBody(body) {
  if (body === null) return { upload: undefined };
  if (body.source === undefined) return { upload: body.length ?? -1, stream: body.stream };
  return { upload: body.isUnusable ? new Uint8Array(await blobBytes(body.source)) : await body.clone().bytes() };
}

const blobBytes = (source) => (source instanceof Uint8Array ? source : source.arrayBuffer());

/** Sends the chunks of a stream, with back-pressure. */
async function sendBody(stream, exchange) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const bytes = chunkBytes(value);
      if (bytes.length > 0) await exchange.write(bytes);
    }
  } catch (error) {
    exchange.close(error);
    throw error;
  }
  exchange.endBody();
}

/** Fields that make a request conditional. Their responses must not come from a cache. */
const CONDITIONS = ['if-modified-since', 'if-none-match', 'if-unmodified-since', 'if-match', 'if-range'];

/** Fields for caches on the way: the Fetch Standard, "HTTP-network-or-cache fetch". */
function addCacheFields(headers, cache) {
  const mode = cache === 'default' && CONDITIONS.some((name) => headers.has(name)) ? 'no-store' : cache;
  if (mode === 'no-cache' && !headers.has('cache-control')) headers.append('cache-control', 'max-age=0');
  if (mode !== 'no-store' && mode !== 'reload') return;
  for (const name of ['pragma', 'cache-control']) if (!headers.has(name)) headers.append(name, 'no-cache');
}

/** The codings of bodies that can be decoded, as a field's value. */
let acceptEncoding;

/** What `--user-agent` says. */
const userAgent = () => require('internal/options').getOptionValue('--user-agent') || undefined;

const isEmpty = (upload) => upload === undefined || upload.byteLength === 0;

/** A flat list of the request's header fields and the default ones. */
function headersToSend({ list, method, url, cache, referrer, referrerPolicy }, upload) {
  const headers = list.copy();
  addCacheFields(headers, cache);
  const referer = referrer === 'about:client' ? undefined : require('web/fetch/referrer').fieldOf(referrer, referrerPolicy, url);
  if (referer !== undefined && !headers.has('referer')) headers.append('referer', referer);
  const defaults = isBunUsed() ? { 'accept': '*/*', 'user-agent': userAgent() ?? `Bun/${require('bun').version}` } : {
    'accept': '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': userAgent() ?? 'node',
  };
  // A part of the body is requested as it is stored: a compressed part cannot be decoded.
  if (headers.has('range')) headers.append('accept-encoding', 'identity');
  // The native client looks once which libraries are there.
  if (!headers.has('accept-encoding')) headers.append('accept-encoding', acceptEncoding ??= internalBinding('fetch_client').acceptEncoding());
  // Fields for framing and the connection are set by the client.
  if (upload !== undefined) headers.delete('content-length');
  // A body that is empty is said to be so where one is expected: RFC 9110, 8.6.
  if (isEmpty(upload) && ['POST', 'PUT', 'PATCH'].includes(method)) defaults['content-length'] = '0';
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.append(name, value);
  for (const name of ['transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect']) headers.delete(name);
  return headers.toFlatList();
}

/** Makes the Response. */
async function toResponse({ status, reason, list, exchange, finish, method }, { url }, isRedirected, integrity) {
  const responseUrl = new URL(url);
  responseUrl.hash = '';
  const hasBody = method !== 'HEAD' && !NULL_BODY_STATUSES.has(status);
  const networkReader = {
    async read() {
      try {
        const chunk = await exchange.read();
        if (chunk === undefined) finish();
        return chunk;
      } catch (error) {
        finish();
        // The reason of an abort is not wrapped.
        throw error instanceof Error && typeof error.code === 'string' ? requestError('terminated', error) : error;
      }
    },
    close(error) {
      finish();
      exchange.close(error);
    },
  };
  if (!hasBody) await networkReader.read();
  let body = hasBody ? new Body({ networkReader }) : null;
  if (integrity && body) {
    const bytes = await body.bytes();
    if (!require('web/fetch/integrity').matches(bytes, integrity)) throw networkError(new Error('integrity mismatch'));
    body = new Body({ source: bytes, length: bytes.length });
  }
  return makeResponse({ status, statusText: reason, list, body, url: responseUrl.href, isRedirected });
}

module.exports = { fetch };
