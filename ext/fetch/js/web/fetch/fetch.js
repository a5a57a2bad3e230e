// `fetch`: the Fetch Standard 4, as far as there is no page. In: a request. Out: a promise of its
// answer: over the network, of a `data:` or a `blob:` address. Redirects are followed here. Absent:
// cookies, caches, modes; proxies.
'use strict';

const { Request, partsOf } = require('web/fetch/request');
const { NO_BODY, REDIRECTS, makeResponse } = require('web/fetch/response');
const { HeadersList } = require('web/fetch/headers');
const { Body } = require('web/fetch/body');
const { URL } = require('web/url');

const REDIRECTS_MAX = 20;
/** What another origin is not told. */
const PRIVATE = ['authorization', 'proxy-authorization', 'cookie', 'host'];
/** What goes with a body. */
const OF_BODY = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length'];
/** Ports of services that are not HTTP's: the Fetch Standard 2.8. */
const BAD_PORTS = new Set((
  '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 ' +
  '161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 ' +
  '4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080').split(' '));

const failed = (cause) => new TypeError('fetch failed', { cause });

async function fetch(input, init = undefined) {
  if (arguments.length === 0) throw new TypeError('fetch: 1 argument required, but 0 found.');
  const request = partsOf(new Request(input, init));
  request.signal?.throwIfAborted();
  const { protocol } = request.url;
  if (protocol === 'http:' || protocol === 'https:') return fetchOverHttp(request);
  if (protocol === 'data:') return dataResponse(request);
  if (protocol === 'blob:') return blobResponse(request);
  if (protocol === 'about:') throw failed(new Error('about scheme is not supported'));
  throw failed(new Error(protocol === 'file:' ? 'not implemented... yet...' : 'unknown scheme'));
}

// --- addresses that hold what they stand for

function dataResponse({ url }) {
  const found = require('web/fetch/data_url').parse(url);
  if (found === null) throw failed(new Error('failed to fetch the data URL'));
  const list = new HeadersList();
  list.set('Content-Type', found.type);
  const body = new Body({ source: found.bytes, length: found.bytes.length });
  return makeResponse({ status: 200, statusText: 'OK', list, body, url: url.href, isRedirected: false });
}

function blobResponse({ url, method, list: asked }) {
  const blob = require('internal/blob').resolveObjectURL(url.href);
  if (method !== 'GET' || blob === undefined) throw failed(new Error('invalid method'));
  const list = new HeadersList();
  const range = asked.get('range');
  let [part, status, statusText] = [blob, 200, 'OK'];
  if (range !== null) {
    const [from, to] = rangeOf(range, blob.size);
    part = blob.slice(from, to + 1, blob.type);
    [status, statusText] = [206, 'Partial Content'];
    list.set('Content-Range', `bytes ${from}-${to}/${blob.size}`);
  }
  list.set('Content-Length', `${part.size}`);
  list.set('Content-Type', part.type);
  return makeResponse({
    status, statusText, list, body: new Body({ source: part, length: part.size }), url: url.href, isRedirected: false,
  });
}

/** `bytes=1-5`, `bytes=3-`, `bytes=-2`. */
function rangeOf(text, size) {
  const found = /^bytes[\t ]*=[\t ]*(\d*)[\t ]*-[\t ]*(\d*)$/.exec(text);
  if (found === null || (found[1] === '' && found[2] === '')) throw failed(new Error('failed to fetch the data URL'));
  const [from, to] = found[1] === '' ? [Math.max(size - Number(found[2]), 0), size - 1] : [
    Number(found[1]), found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1),
  ];
  if (from >= size || from > to) throw failed(new Error("Range start is greater than the blob's size."));
  return [from, to];
}

// --- the network

async function fetchOverHttp({ url, method, list, body, redirect, signal, integrity }) {
  let request = { url, method, list: list.copy(), body };
  for (let count = 0; ; count++) {
    const answer = await exchange(request, signal, redirect === 'follow');
    if (!REDIRECTS.has(answer.status) || redirect === 'manual') return respond(answer, request, count > 0, integrity);
    if (redirect === 'error') {
      answer.exchange.close();
      throw failed(new Error('unexpected redirect'));
    }
    const location = answer.list.get('location');
    if (location === null) return respond(answer, request, count > 0, integrity);
    answer.finish();
    answer.exchange.close();
    if (count === REDIRECTS_MAX) throw failed(new Error('redirect count exceeded'));
    request = follow(request, answer.status, location);
  }
}

/** What is asked where a redirect leads. */
function follow({ url, method, list, body }, status, location) {
  let target;
  try {
    target = new URL(Buffer.from(location, 'latin1').toString(), url);
  } catch (cause) {
    throw failed(cause);
  }
  if (target.protocol !== 'http:' && target.protocol !== 'https:') throw failed(new Error('URL scheme must be a HTTP(S) scheme'));
  // What belongs to a page's place goes along.
  if (target.hash === '') target.hash = url.hash;
  if (status !== 303 && body !== null && body.source === undefined) throw failed(new Error('request body has no source'));
  const isChanged = ((status === 301 || status === 302) && method === 'POST') ||
    (status === 303 && method !== 'GET' && method !== 'HEAD');
  if (isChanged) {
    [method, body] = ['GET', null];
    for (const name of OF_BODY) list.delete(name);
  }
  if (target.origin !== url.origin) {
    for (const name of PRIVATE) list.delete(name);
  }
  return { url: target, method, list, body };
}

/** One request, up to the head of its answer. */
async function exchange({ url, method, list, body }, signal, follows) {
  const isSecure = url.protocol === 'https:';
  if (BAD_PORTS.has(url.port)) throw failed(new Error('bad port'));
  const { Exchange } = require('web/fetch/transport');
  const { upload, stream } = await uploadOf(body);
  signal?.throwIfAborted();
  const own = new Exchange({
    method,
    isSecure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 443 : 80),
    target: `${url.pathname}${url.search}`,
    headers: headersOf(list, method, upload),
    body: upload,
    unpacks: method !== 'HEAD',
  });
  const watch = watchSignal(signal, own);
  try {
    // What goes up may fail by itself.
    const sending = stream && send(stream, own);
    const { status, reason, headers } = await (sending ? Promise.race([own.head, sending.then(() => own.head)]) : own.head);
    const answer = new HeadersList();
    for (let i = 0; i < headers.length; i += 2) answer.append(headers[i], headers[i + 1]);
    return { status, reason, list: answer, exchange: own, finish: watch.finish, method, follows };
  } catch (error) {
    watch.finish();
    own.close();
    if (signal?.aborted) throw signal.reason;
    throw error?.fromProgram ? error.error : failed(error);
  }
}

/**
 * Ends an exchange when its signal says so; the answer's body then fails with the signal's reason.
 */
function watchSignal(signal, exchange) {
  if (!signal) return { finish() {} };
  const abort = () => exchange.close(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return { finish() { signal.removeEventListener('abort', abort); } };
}

async function uploadOf(body) {
  if (body === null) return { upload: undefined };
  if (body.source === undefined) return { upload: body.length ?? -1, stream: body.stream };
  return { upload: body.isUnusable ? new Uint8Array(await blobBytes(body.source)) : await body.clone().bytes() };
}

const blobBytes = (source) => (source instanceof Uint8Array ? source : source.arrayBuffer());

/** A stream's pieces, as there is room for them. */
async function send(stream, exchange) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      if (!(value instanceof Uint8Array)) throw new TypeError('Received non-Uint8Array chunk');
      if (value.length > 0) await exchange.write(value);
    }
  } catch (error) {
    exchange.close(error);
    throw error;
  }
  exchange.endBody();
}

/** Names and values as they are sent, with what a program has not said itself. */
function headersOf(list, method, upload) {
  const headers = list.copy();
  const own = {
    'accept': '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node', 'accept-encoding': 'gzip, deflate',
  };
  if (upload === undefined && (method === 'POST' || method === 'PUT')) own['content-length'] = '0';
  for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.append(name, value);
  // How long a body is and how it is framed is not a program's word.
  if (upload !== undefined) headers.delete('content-length');
  for (const name of ['transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect']) headers.delete(name);
  return headers.flat();
}

/** The answer as a program has it. */
async function respond({ status, reason, list, exchange: own, finish, method }, { url }, isRedirected, integrity) {
  const address = new URL(url);
  address.hash = '';
  const hasBody = method !== 'HEAD' && !NO_BODY.has(status);
  const feed = {
    async read() {
      try {
        const piece = await own.read();
        if (piece === undefined) finish();
        return piece;
      } catch (error) {
        finish();
        // An abort has the reason that the program gave.
        throw error instanceof Error && typeof error.code === 'string' ? new TypeError('terminated', { cause: error }) : error;
      }
    },
    close(error) {
      finish();
      own.close(error);
    },
  };
  if (!hasBody) await feed.read();
  let body = hasBody ? new Body({ feed }) : null;
  if (integrity && body) {
    const bytes = await body.bytes();
    if (!require('web/fetch/integrity').matches(bytes, integrity)) throw failed(new Error('integrity mismatch'));
    body = new Body({ source: bytes, length: bytes.length });
  }
  return makeResponse({ status, statusText: reason, list, body, url: address.href, isRedirected });
}

module.exports = { fetch };
