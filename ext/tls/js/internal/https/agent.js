// `https.Agent`: connections over TLS, and their sessions by the name of the connection. In:
// options of a request. Out: a TLS socket, which resumes the last session with the same name.
'use strict';

const { Buffer } = require('buffer');
const tls = require('tls');
const { Agent: HttpAgent } = require('internal/http/agent');

const CACHED_SESSIONS_MAX = 100;
/** The options of the last name, and the name. */
const kLastName = Symbol('lastName');

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  options = { __proto__: null, ...options };
  options.defaultPort ??= 443;
  options.protocol ??= 'https:';
  Reflect.apply(HttpAgent, this, [options]);
  this.maxCachedSessions = this.options.maxCachedSessions ?? CACHED_SESSIONS_MAX;
  this._sessionCache = { map: {}, list: [] };
}
Object.setPrototypeOf(Agent.prototype, HttpAgent.prototype);
Object.setPrototypeOf(Agent, HttpAgent);

/**
 * The TLS options in Node's order. They contain certificates, and each request asks for its name:
 * the last one is retained with its options.
 */
Agent.prototype.getName = function getName(options = { __proto__: null }) {
  const last = this[kLastName];
  if (last !== undefined && isSame(last.options, last.copies, options)) return last.name;
  const name = nameOf(options);
  const values = namedOptions(options);
  const copies = copiesOf(values);
  if (copies !== undefined) this[kLastName] = { options: values, copies, name };
  return name;
};

/** Bytes can be changed in place: their copies, or undefined if there are other objects. */
function copiesOf(values) {
  const copies = [];
  for (const value of Object.values(values)) {
    if (value instanceof Uint8Array) copies.push([value, Buffer.from(value)]);
    else if (value !== null && (typeof value === 'object' || typeof value === 'function')) return undefined;
  }
  return copies;
}

function namedOptions({
  host, port, localAddress, family, socketPath, servername, ca, cert, clientCertEngine, ciphers, key, pfx,
  rejectUnauthorized, minVersion, maxVersion, secureProtocol, crl, honorCipherOrder, ecdhCurve, dhparam,
  secureOptions, sessionIdContext, sigalgs, privateKeyIdentifier, privateKeyEngine,
}) {
  return {
    host, port, localAddress, family, socketPath, servername, ca, cert, clientCertEngine, ciphers, key, pfx,
    rejectUnauthorized, minVersion, maxVersion, secureProtocol, crl, honorCipherOrder, ecdhCurve, dhparam,
    secureOptions, sessionIdContext, sigalgs, privateKeyIdentifier, privateKeyEngine,
  };
}

/** Written out: a loop over names would look each one up. */
function isSame(last, copies, options) {
  return last.host === options.host && last.port === options.port && last.localAddress === options.localAddress &&
    last.family === options.family && last.socketPath === options.socketPath && last.servername === options.servername &&
    last.ca === options.ca && last.cert === options.cert && last.clientCertEngine === options.clientCertEngine &&
    last.ciphers === options.ciphers && last.key === options.key && last.pfx === options.pfx &&
    last.rejectUnauthorized === options.rejectUnauthorized && last.minVersion === options.minVersion &&
    last.maxVersion === options.maxVersion && last.secureProtocol === options.secureProtocol && last.crl === options.crl &&
    last.honorCipherOrder === options.honorCipherOrder && last.ecdhCurve === options.ecdhCurve &&
    last.dhparam === options.dhparam && last.secureOptions === options.secureOptions &&
    last.sessionIdContext === options.sessionIdContext && last.sigalgs === options.sigalgs &&
    last.privateKeyIdentifier === options.privateKeyIdentifier && last.privateKeyEngine === options.privateKeyEngine &&
    copies.every(([bytes, copy]) => copy.equals(bytes));
}

function nameOf(options) {
  const name = HttpAgent.prototype.getName(options);
  const servername = options.servername === options.host ? '' : options.servername || '';
  const sigalgs = options.sigalgs ? JSON.stringify(options.sigalgs) : '';
  return `${name}:${options.ca || ''}:${options.cert || ''}:${options.clientCertEngine || ''}:${options.ciphers || ''}:${options.key || ''}` +
    `:${options.pfx || ''}:${ifDefined(options.rejectUnauthorized)}:${servername}:${options.minVersion || ''}:${options.maxVersion || ''}` +
    `:${options.secureProtocol || ''}:${options.crl || ''}:${ifDefined(options.honorCipherOrder)}:${options.ecdhCurve || ''}` +
    `:${options.dhparam || ''}:${ifDefined(options.secureOptions)}:${options.sessionIdContext || ''}:${sigalgs}` +
    `:${options.privateKeyIdentifier || ''}:${options.privateKeyEngine || ''}`;
}

/** Of options that are in the name even if they are false. */
const ifDefined = (value) => (value === undefined ? '' : value);

/** `(options)`, `(port, options)`, `(port, host, options)`. */
function connectOptions(args) {
  const [first, second, third] = args;
  const isObject = (value) => value !== null && typeof value === 'object';
  if (isObject(first)) return first;
  const options = isObject(second) ? { ...second } : isObject(third) ? { ...third } : {};
  if (typeof first === 'number') options.port = first;
  if (typeof second === 'string') options.host = second;
  return options;
}

Agent.prototype.createConnection = function createConnection(...args) {
  const options = connectOptions(args);
  const key = options._agentKey;
  const session = key ? this._getSession(key) : undefined;
  const socket = tls.connect(session ? { session, ...options } : options);
  if (this.listenerCount('keylog') > 0) socket.on('keylog', (line) => this.emit('keylog', line, socket));
  if (key) {
    socket.on('session', (newSession) => this._cacheSession(key, newSession));
    socket.once('close', (hadError) => { if (hadError) this._evictSession(key); });
  }
  return socket;
};

Agent.prototype._getSession = function _getSession(key) {
  return this._sessionCache.map[key];
};

Agent.prototype._cacheSession = function _cacheSession(key, session) {
  if (this.maxCachedSessions === 0) return;
  const { map, list } = this._sessionCache;
  if (!map[key]) {
    if (list.length >= this.maxCachedSessions) delete map[list.shift()];
    list.push(key);
  }
  map[key] = session;
};

Agent.prototype._evictSession = function _evictSession(key) {
  const { map, list } = this._sessionCache;
  const index = list.indexOf(key);
  if (index === -1) return;
  list.splice(index, 1);
  delete map[key];
};

module.exports = { Agent };
