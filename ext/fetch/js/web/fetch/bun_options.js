// bun's options of `fetch`: `unix`, `proxy`, `tls`, `decompress`, `verbose`. In: the second
// argument of `fetch`. Out: checked options; undefined if there are none. Absent: what they do.
'use strict';

const NAMES = ['unix', 'proxy', 'tls', 'decompress', 'verbose'];

function bunOptions(init) {
  if (typeof init !== 'object' || init === null || !NAMES.some((name) => init[name] !== undefined)) return undefined;
  const { unix, proxy, tls, decompress, verbose } = init;
  return {
    unix: typeof unix === 'string' && unix !== '' ? unix : undefined,
    proxy: checkProxy(proxy),
    tls: typeof tls === 'object' && tls !== null ? tls : undefined,
    decompress: decompress !== false,
    isVerbose: Boolean(verbose),
  };
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

module.exports = { bunOptions, needsNode, printRequest, printResponse };
