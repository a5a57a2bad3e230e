// Options of `Bun.serve`. In: what a program passes. Out: checked options with defaults.
'use strict';

const { invalidArgType } = require('internal/bun/environment');

const PORT_DEFAULT = 3000;
const IDLE_TIMEOUT_SECONDS_DEFAULT = 10;
const IDLE_TIMEOUT_SECONDS_MAX = 255;
const BODY_BYTES_DEFAULT = 128 * 1024 * 1024;

const NEEDS_HANDLER = `Bun.serve() needs either:

  - A routes object:
     routes: {
       "/path": {
         GET: (req) => new Response("Hello")
       }
     }

  - Or a fetch handler:
     fetch: (req) => {
       return new Response("Hello")
     }`;

function checkOptions(options) {
  if (typeof options !== 'object' || options === null) throw invalidArgType('Bun.serve expects an object');
  const { env } = require('process');
  const checked = {
    ...checkHandlers(options),
    hostname: checkHostname(options.hostname),
    unix: checkUnix(options.unix, options),
    reusePort: Boolean(options.reusePort),
    ipv6Only: Boolean(options.ipv6Only),
    idleTimeout: checkIdleTimeout(options.idleTimeout),
    maxRequestBodySize: checkBodySize(options.maxRequestBodySize),
    isDevelopment: options.development === undefined ? env.NODE_ENV !== 'production' : Boolean(options.development),
    development: options.development,
    id: options.id ?? undefined,
    tls: checkTls(options.tls),
  };
  checked.port = checked.unix === undefined ? checkPort(options.port ?? env.BUN_PORT ?? env.PORT ?? env.NODE_PORT ?? (require('internal/options').getOptionValue('--port') || PORT_DEFAULT)) : undefined;
  Object.assign(checked, checkVersions(options));
  return checked;
}

/** Options of `reload`: handlers, the others stay. */
function checkReload(options, current) {
  if (typeof options !== 'object' || options === null) throw invalidArgType('reload expects an object');
  return { ...current, ...checkHandlers(options) };
}

function checkHandlers({ fetch, routes = undefined, static: staticRoutes, error, websocket }) {
  routes ??= staticRoutes;
  if (fetch !== undefined && typeof fetch !== 'function') throw invalidArgType('Expected fetch() to be a function');
  if (error !== undefined && error !== null && typeof error !== 'function') throw invalidArgType('Expected error to be a function');
  if (routes !== undefined && (typeof routes !== 'object' || routes === null)) throw invalidArgType('Expected routes to be an object');
  if (websocket !== undefined && (typeof websocket !== 'object' || websocket === null)) {
    throw invalidArgType('Expected websocket to be an object');
  }
  if (fetch === undefined && (routes === undefined || Object.keys(routes).length === 0)) throw invalidArgType(NEEDS_HANDLER);
  return { fetch, routes, error: error ?? undefined, websocket };
}

function checkHostname(hostname) {
  if (hostname === undefined || hostname === '') return undefined;
  if (typeof hostname !== 'string') throw invalidArgType('Expected hostname to be a string');
  return hostname;
}

function checkUnix(unix, { hostname, port }) {
  if (unix === undefined || unix === '') return undefined;
  if (typeof unix !== 'string') throw invalidArgType('Expected unix to be a path');
  if (hostname !== undefined) throw invalidArgType('Cannot specify both hostname and unix');
  if (port !== undefined) throw invalidArgType('Cannot specify both port and unix');
  return unix;
}

function checkPort(value) {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
  throw new ERR_OUT_OF_RANGE('options.port', Number.isInteger(port) ? '>= 0 and <= 65535' : 'an integer', port);
}

function checkIdleTimeout(seconds = IDLE_TIMEOUT_SECONDS_DEFAULT) {
  if (typeof seconds !== 'number' || !(seconds >= 0)) throw invalidArgType('idleTimeout must be a number of seconds');
  if (seconds > IDLE_TIMEOUT_SECONDS_MAX) throw invalidArgType(`Bun.serve expects idleTimeout to be ${IDLE_TIMEOUT_SECONDS_MAX} or less`);
  return seconds;
}

function checkBodySize(bytes = BODY_BYTES_DEFAULT) {
  if (typeof bytes !== 'number' || !(bytes >= 0)) throw invalidArgType('maxRequestBodySize must be a number of bytes');
  return Math.min(bytes, Number.MAX_SAFE_INTEGER);
}

/** Contexts with their names, the default first; undefined: no TLS. */
function checkTls(value) {
  if (value === undefined || value === null || value === false) return undefined;
  if (typeof value !== 'object') throw invalidArgType('tls must be an object or an array of objects');
  const list = (Array.isArray(value) ? value : [value]).filter((one) => Object.values(one ?? {}).some((member) => member !== undefined));
  if (list.length === 0) return undefined;
  const { readFiles } = require('internal/bun/tls_options');
  const { createSecureContext } = require('tls');
  return list.map((one, index) => {
    if (index > 0 && typeof one.serverName !== 'string') throw invalidArgType('SNI tls object must have a serverName');
    const { serverName = '', requestCert = false, rejectUnauthorized = true, ...options } = readFiles(one);
    const { context } = createSecureContext(options);
    if (requestCert) context.attachRoots();
    return { serverName, context, requestCert: Boolean(requestCert), rejectUnauthorized: Boolean(requestCert && rejectUnauthorized) };
  });
}

/** Versions of HTTP that the server speaks. */
function checkVersions({ http1, http2, http3 }) {
  if (http3) throw new TypeError('the http3 option of Bun.serve is not supported yet');
  if (http1 === false && !http2) throw invalidArgType('Cannot disable http1 without enabling http2 or http3');
  return { hasHttp1: http1 !== false, hasHttp2: Boolean(http2) };
}

module.exports = { checkOptions, checkReload };
