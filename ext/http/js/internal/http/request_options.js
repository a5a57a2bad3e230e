// Options of a client request. In: a URL or its string, options, a callback. Out: merged and
// validated options, the agent, method, host.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_HTTP_TOKEN, ERR_INVALID_PROTOCOL, ERR_UNESCAPED_CHARACTERS },
} = require('internal/errors');
const { validateBoolean, validateInteger } = require('internal/validators');
const { isToken } = require('internal/http/constants');

const INVALID_PATH_CHARACTER = /[^\u0021-\u00ff]/;

function parseOptions(input, options, callback) {
  if (typeof input === 'string') {
    input = require('internal/url').urlToHttpOptions(new URL(input));
  } else if (input instanceof URL) {
    input = require('internal/url').urlToHttpOptions(input);
  } else {
    callback = options;
    options = input;
    input = null;
  }
  if (typeof options === 'function') {
    callback = options;
    options = input ?? {};
  } else {
    options = input ? Object.assign(input, options) : { ...options };
  }
  const agent = selectAgent(options);
  const defaultAgent = options._defaultAgent || require('internal/http/agent').globalAgent;
  const protocol = options.protocol || defaultAgent.protocol;
  const expectedProtocol = agent?.protocol ?? defaultAgent.protocol;
  if (options.path) validatePath(String(options.path));
  if (protocol !== expectedProtocol) throw new ERR_INVALID_PROTOCOL(protocol, expectedProtocol);
  const defaultPort = options.defaultPort || agent?.defaultPort;
  const port = options.port || defaultPort || 80;
  const host = validateHost(options.hostname, 'hostname') || validateHost(options.host, 'host') || 'localhost';
  const setHost = options.setHost !== undefined ? Boolean(options.setHost) : options.setDefaultHeaders !== false;
  if (options.setDefaultHeaders !== undefined) validateBoolean(options.setDefaultHeaders, 'options.setDefaultHeaders');
  const method = normalizeMethod(options.method);
  if (options.maxHeaderSize !== undefined) validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  for (const name of ['insecureHTTPParser', 'joinDuplicateHeaders']) {
    if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
  }
  // The caller's object is copied above.
  options.port = port;
  options.host = host;
  return { options, callback, agent, protocol, defaultPort, host, setHost, method };
}

function validatePath(path) {
  if (INVALID_PATH_CHARACTER.test(path)) throw new ERR_UNESCAPED_CHARACTERS('Request path');
}

function selectAgent(options) {
  const { agent } = options;
  const defaultAgent = options._defaultAgent || require('internal/http/agent').globalAgent;
  if (agent === false) return new defaultAgent.constructor();
  if (agent === null || agent === undefined) return typeof options.createConnection === 'function' ? undefined : defaultAgent;
  if (typeof agent.addRequest !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  }
  return agent;
}

function validateHost(host, name) {
  if (host !== null && host !== undefined && typeof host !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], host);
  }
  return host;
}

function normalizeMethod(method) {
  if (method === null || method === undefined || method === '') return 'GET';
  if (typeof method !== 'string') throw new ERR_INVALID_ARG_TYPE('options.method', 'string', method);
  if (!isToken(method)) throw new ERR_INVALID_HTTP_TOKEN('Method', method);
  return method.toUpperCase();
}

module.exports = { parseOptions, validatePath };
