// What bun's `fetch` takes and the standard refuses: an object with a `url`, credentials in a URL,
// a `file:` URL. In: arguments and requests of programs that use Bun. Out: what the standard's
// steps take, or a response.
'use strict';

const { isObject } = require('web/streams/webidl_utils');
const { isURL } = require('web/url');
const { HeadersList } = require('web/fetch/headers');
const { Body } = require('web/fetch/body');
const { makeResponse } = require('web/fetch/response');

/** The URL and the options of an object with a `url`; options of the second argument go first. */
function fromObject(input, init) {
  if (!isObject(input) || isURL(input) || typeof input.url !== 'string') return [input, init];
  const { method, headers, body } = input;
  return [input.url, { ...input, method, headers, body, ...init }];
}

/** bun's codes for those of undici. */
const CODES = { __proto__: null, UND_ERR_SOCKET: 'ECONNRESET' };

/** The error with what bun has on it: the code of its reason, and the answer of a proxy. */
function withReason(error, cause, code) {
  const known = typeof cause?.code === 'string' ? CODES[cause.code] ?? cause.code : code;
  if (known !== undefined) error.code = known;
  if (cause?.code === 'ERR_PROXY_TUNNEL') {
    const { status, statusText, headers } = cause;
    Object.assign(error, { status, statusText, headers });
  }
  return error;
}

/** The field `authorization` for the credentials of a URL; undefined without them. */
function authorizationOf({ username, password }) {
  if (username === '' && password === '') return undefined;
  const { Buffer } = require('buffer');
  const decode = (text) => require('querystring').unescape(text);
  return `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`;
}

/** The response for a `file:` URL. Rejects as reading the file would. */
async function fileResponse({ url }) {
  const path = require('internal/url').fileURLToPath(url.href);
  const handle = await require('fs/promises').open(path);
  await handle.close();
  const file = require('internal/bun/file').file(path);
  if ((await file.stat()).isDirectory()) {
    throw Object.assign(new Error('Directories cannot be read like files'), { code: 'EISDIR', syscall: 'read', path });
  }
  const list = new HeadersList();
  list.set('Content-Type', file.type);
  return makeResponse({ status: 200, statusText: '', list, body: new Body({ source: file, length: file.size }), url: url.href, isRedirected: false });
}

module.exports = { authorizationOf, fileResponse, fromObject, withReason };
